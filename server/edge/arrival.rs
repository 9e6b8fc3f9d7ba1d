//! The body of a request has to come: so long between two parts of it, and so long in whole, whatever face reads it.

use crate::edge::deadline;
use axum::{body::Body, extract::Request};
use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep_until};

/// How long a body may take.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Until the next part of it.
    pub between: Duration,
    /// Until its end.
    pub whole: Duration,
}

impl Arrival {
    /// The same request; reading its body fails with DEADLINE_EXCEEDED when it does not come in time.
    pub fn bound(self, request: Request) -> Request {
        if request.body().is_end_stream() {
            return request;
        }
        let ends = Instant::now() + self.whole;
        request.map(|body| Body::new(Arriving { body, between: self.between, ends, waits: None }))
    }
}

struct Arriving {
    body: Body,
    between: Duration,
    ends: Instant,
    /// While a part is awaited.
    waits: Option<Pin<Box<Sleep>>>,
}

impl http_body::Body for Arriving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            self.waits = None;
            return Poll::Ready(frame);
        }
        let at = (Instant::now() + self.between).min(self.ends);
        let waits = self.waits.get_or_insert_with(|| Box::pin(sleep_until(at)));
        waits.as_mut().poll(cx).map(|()| Some(Err(axum::Error::new(deadline::body_came_late()))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;
    use http_body_util::BodyExt;
    use std::convert::Infallible;
    use tokio::time::sleep;

    const ARRIVAL: Arrival = Arrival { between: Duration::from_millis(400), whole: Duration::from_millis(1200) };

    /// Reads a body of so many parts, each so long after the other: whether it came in time, and how long it took to know.
    async fn read(parts: u32, apart: Duration) -> (bool, Duration) {
        let body = Body::from_stream(stream::unfold(0, move |n| async move {
            if n == parts {
                return None;
            }
            sleep(apart).await;
            Some((Ok::<_, Infallible>("x"), n + 1))
        }));
        let began = Instant::now();
        let came = ARRIVAL.bound(Request::new(body)).into_body().collect().await.is_ok();
        (came, began.elapsed())
    }

    #[tokio::test]
    async fn a_body_that_stalls_or_drips_is_given_up_and_a_slow_one_is_read() {
        assert!(read(10, Duration::from_millis(20)).await.0);
        let (came, after) = read(1, Duration::from_secs(60)).await;
        assert!(!came && after < ARRIVAL.whole, "nothing came for too long: {after:?}");
        let (came, after) = read(10_000, Duration::from_millis(20)).await;
        assert!(!came && after >= ARRIVAL.whole, "it takes too long in whole: {after:?}");
    }
}
