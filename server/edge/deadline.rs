//! How long a call may take: what the client asks for in `grpc-timeout`, within our own bounds.

use crate::error::{Error, FieldReason, Reason, Result};
use axum::{body::Body, http::HeaderMap, response::Response};
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep};
use tonic::Status;

/// The header by which gRPC clients say it.
pub const HEADER: &str = "grpc-timeout";

/// What the client asks for; `None` when it does not.
///
/// # Errors
/// INVALID_ARGUMENT that names the header, when it is not in the protocol's form, 1 to 8 digits and a unit, or stands there twice.
pub fn asked(headers: &HeaderMap) -> Result<Option<Duration>> {
    let mut all = headers.get_all(HEADER).iter();
    let Some(given) = all.next() else { return Ok(None) };
    let wrong = || Error::field(HEADER, FieldReason::Invalid, "must be 1 to 8 digits and one of H, M, S, m, u, n, like 15S");
    // Of two, nobody knows which one counts.
    let only = all.next().is_none().then_some(given);
    only.and_then(|given| read(given.to_str().ok()?)).map(Some).ok_or_else(wrong)
}

fn read(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let n: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(n * 3600),
        "M" => Duration::from_secs(n * 60),
        "S" => Duration::from_secs(n),
        "m" => Duration::from_millis(n),
        "u" => Duration::from_micros(n),
        "n" => Duration::from_nanos(n),
        _ => return None,
    })
}

/// The failure of a call that took too long.
pub fn exceeded() -> Error {
    Error::new(Reason::DeadlineExceeded, "the call took longer than its deadline")
}

/// Why reading a body fails that did not come in time; every face tells it as it stands.
pub fn body_came_late() -> Status {
    Error::new(Reason::DeadlineExceeded, "the body did not arrive in time").into()
}

/// Ends a stream that is still open at an instant, with DEADLINE_EXCEEDED.
pub fn bound_stream(response: Response, at: Instant) -> Response {
    response.map(|body| Body::new(Bounded { body, until: Box::pin(tokio::time::sleep_until(at)), ended: false }))
}

struct Bounded {
    body: Body,
    until: Pin<Box<Sleep>>,
    ended: bool,
}

impl http_body::Body for Bounded {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        if self.until.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        self.ended = true;
        let mut trailers = HeaderMap::new();
        let _ = Status::from(exceeded()).add_header(&mut trailers);
        Poll::Ready(Some(Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_the_protocol_are_read_and_all_else_is_refused_by_the_header_s_name() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER, text.parse().unwrap());
            asked(&headers)
        };
        assert_eq!(asked(&HeaderMap::new()).unwrap(), None);
        assert_eq!(read("2S").unwrap(), Some(Duration::from_secs(2)));
        assert_eq!(read("250m").unwrap(), Some(Duration::from_millis(250)));
        assert_eq!(read("99999999H").unwrap(), Some(Duration::from_secs(99_999_999 * 3600)));
        let mut twice = HeaderMap::new();
        twice.append(HEADER, "1S".parse().unwrap());
        twice.append(HEADER, "1S".parse().unwrap());
        assert!(asked(&twice).unwrap_err().message().starts_with("grpc-timeout: "));
        for bad in ["", "S", "2", "2X", "-2S", "999999999S", "2 S", "é"] {
            let refused = read(bad).unwrap_err();
            assert!(refused.message().starts_with("grpc-timeout: "), "{bad}: {refused}");
        }
    }
}
