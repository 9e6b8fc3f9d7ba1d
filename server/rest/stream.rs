//! Messages out of a gRPC body: the one of a plain call, or a stream of them as lines or events.

use super::{
    plan::Plans,
    routes::Binding,
    status::Problem,
    write::{self, Broken},
};
use crate::error::Error;
use axum::{
    body::{Body, Bytes},
    http::HeaderMap,
};
use bytes::{Buf, BytesMut};
use futures_util::stream;
use http_body_util::BodyExt;
use std::{convert::Infallible, pin::Pin, sync::Arc};
use tonic::{Code, Status};

/// Before each message: a flag and the length.
pub const FRAME_HEAD: usize = 5;

/// Takes the next whole message out of a buffer.
pub fn next(buffer: &mut BytesMut) -> Option<Bytes> {
    let (_, length) = (buffer.first()?, buffer.get(1..FRAME_HEAD)?);
    let length = usize::try_from(u32::from_be_bytes(length.try_into().ok()?)).ok()?;
    if buffer.len() < FRAME_HEAD + length {
        return None;
    }
    buffer.advance(FRAME_HEAD);
    Some(buffer.split_to(length).freeze())
}

/// Puts the head before a message, for which room was left. Nothing in process is compressed.
pub fn frame(message: &mut [u8]) -> Result<(), Error> {
    let length = u32::try_from(message.len().saturating_sub(FRAME_HEAD)).map_err(Error::internal)?;
    if let Some(place) = message.get_mut(1..FRAME_HEAD) {
        place.copy_from_slice(&length.to_be_bytes());
    }
    Ok(())
}

/// The failure that headers or trailers tell.
///
/// # Errors
/// That failure.
pub fn check(headers: &HeaderMap) -> Result<(), Status> {
    Status::from_header_map(headers).filter(|s| s.code() != Code::Ok).map_or(Ok(()), Err)
}

/// The one message of a plain call.
///
/// # Errors
/// The status of the trailers; INTERNAL when there is no message.
pub async fn single<B>(body: B) -> Result<Bytes, Status>
where
    B: http_body::Body<Data = Bytes> + Send,
    B::Error: Into<axum::BoxError>,
{
    let body = body.collect().await.map_err(lost)?;
    if let Some(trailers) = body.trailers() {
        check(trailers)?;
    }
    let mut bytes = body.to_bytes();
    if bytes.len() < FRAME_HEAD {
        return Err(Error::internal(anyhow::anyhow!("a call without a message")).into());
    }
    bytes.advance(FRAME_HEAD);
    Ok(bytes)
}

/// An answer that broke off.
pub fn lost(e: impl Into<axum::BoxError>) -> Status {
    Error::internal(anyhow::anyhow!("the answer broke off: {}", e.into())).into()
}

/// How the messages of a stream are set off from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON value a line.
    Lines,
    /// Server-sent events.
    Events,
}

impl Form {
    /// What the caller prefers.
    pub fn asked(headers: &HeaderMap) -> Self {
        let accept = headers.get_all(axum::http::header::ACCEPT);
        let events = accept.iter().any(|v| v.to_str().is_ok_and(|v| v.to_ascii_lowercase().contains("text/event-stream")));
        if events { Self::Events } else { Self::Lines }
    }

    /// Its content type.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Lines => "application/x-ndjson",
            Self::Events => "text/event-stream",
        }
    }

    fn wrap(self, json: &[u8]) -> Bytes {
        let (before, after): (&[u8], &[u8]) = match self {
            Self::Lines => (b"", b"\n"),
            Self::Events => (b"data: ", b"\n\n"),
        };
        [before, json, after].concat().into()
    }

    fn wrap_error(self, json: &[u8]) -> Bytes {
        match self {
            Self::Lines => [b"{\"error\":", json, b"}\n"].concat().into(),
            Self::Events => [b"event: error\ndata: ", json, b"\n\n"].concat().into(),
        }
    }
}

/// What a stream needs until its end.
pub struct Writer {
    /// The plans.
    pub plans: Arc<Plans>,
    /// Has the form of each message.
    pub binding: Arc<Binding>,
    /// How messages are set off.
    pub form: Form,
    /// For an error that ends the stream.
    pub request_id: String,
}

/// The messages of a stream, one at a time as they come; an error is the last one.
pub fn body<B>(body: B, writer: Writer) -> Body
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    struct State<B> {
        body: Option<Pin<Box<B>>>,
        buffer: BytesMut,
        writer: Writer,
    }
    let state = State { body: Some(Box::pin(body)), buffer: BytesMut::new(), writer };
    Body::from_stream(stream::unfold(state, |mut state| async move {
        loop {
            if let Some(message) = next(&mut state.buffer) {
                let piece = state.writer.message(&message);
                if piece.is_err() {
                    state.body = None;
                    state.buffer.clear();
                }
                return Some((Ok::<_, Infallible>(piece.unwrap_or_else(|error| error)), state));
            }
            let ended = match state.body.as_mut()?.frame().await {
                None => Ok(()),
                Some(Err(e)) => Err(lost(e)),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => {
                        state.buffer.extend_from_slice(&data);
                        continue;
                    }
                    Err(frame) => frame.trailers_ref().map_or(Ok(()), check),
                },
            };
            state.body = None;
            if let Err(status) = ended {
                return Some((Ok(state.writer.error(&status)), state));
            }
        }
    }))
}

impl Writer {
    fn message(&self, wire: &[u8]) -> Result<Bytes, Bytes> {
        let mut json = Vec::with_capacity(wire.len() * 2);
        match write::answer(&self.plans, &self.binding.answer, wire, &mut json) {
            Ok(()) => Ok(self.form.wrap(&json)),
            Err(Broken(e)) => Err(self.error(&Error::internal(anyhow::anyhow!(e)).into())),
        }
    }

    fn error(&self, status: &Status) -> Bytes {
        self.form.wrap_error(&Problem::of(status, &self.plans, &[]).json(&self.request_id))
    }
}
