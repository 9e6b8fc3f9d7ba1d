//! The pace of a connection's peer: what is written must be taken, on the wire and stream by stream.

use crate::edge::{http2_flood_guard::Frames, overload::Overload};
use axum::body::Body;
use bytes::Bytes;
use futures_util::FutureExt;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt;
use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep, sleep_until},
};

/// What a peer must take of a full connection, each time it is given time anew: who takes a few bytes now and then takes nothing.
const TAKEN_MIN: usize = 4096;
/// Of a stream, so much is handed on at once: no more than that stays in the connection's buffers when its reader stops.
const PIECE: usize = 16 * 1024;

/// What a connection tells of its bytes.
pub trait Ears {
    /// Some came.
    fn heard(&self);
    /// The peer takes nothing at this moment, or has taken enough again.
    fn full(&self, full: bool);
}

/// A connection whose writes fail when the peer does not take them.
pub struct Paced<T, E> {
    io: T,
    ears: E,
    within: Duration,
    full: Option<Pin<Box<Sleep>>>,
    taken: usize,
    frames: Frames,
}

impl<T, E: Ears> Paced<T, E> {
    /// Gives the peer `within` to take what is written.
    pub fn new(io: T, within: Duration, ears: E) -> Self {
        Self { io, ears, within, full: None, taken: 0, frames: Frames::default() }
    }

    fn wrote(&mut self, cx: &mut Context<'_>, wrote: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let Poll::Ready(done) = wrote else { return self.wait(cx).map(Err) };
        if let Ok(bytes) = done {
            self.taken = self.taken.saturating_add(bytes);
            if self.taken >= TAKEN_MIN {
                self.goes_on();
            }
        }
        Poll::Ready(done)
    }

    fn flushed(&mut self, cx: &mut Context<'_>, flushed: Poll<io::Result<()>>) -> Poll<io::Result<()>> {
        let Poll::Ready(done) = flushed else { return self.wait(cx).map(Err) };
        self.goes_on();
        Poll::Ready(done)
    }

    fn goes_on(&mut self) {
        if self.full.take().is_some() {
            self.ears.full(false);
        }
    }

    /// The peer takes nothing at this moment.
    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        if self.full.is_none() {
            self.taken = 0;
            self.ears.full(true);
        }
        let full = self.full.get_or_insert_with(|| Box::pin(sleep(self.within)));
        full.as_mut().poll(cx).map(|()| io::ErrorKind::TimedOut.into())
    }
}

impl<T: AsyncRead + Unpin, E: Ears + Unpin> AsyncRead for Paced<T, E> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.io).poll_read(cx, buf);
        let came = buf.filled().get(before..).unwrap_or_default();
        if !came.is_empty() {
            self.ears.heard();
            self.frames.pass(came)?;
        }
        read
    }
}

impl<T: AsyncWrite + Unpin, E: Ears + Unpin> AsyncWrite for Paced<T, E> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.io).poll_write(cx, buf);
        self.wrote(cx, wrote)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bufs: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.io).poll_write_vectored(cx, bufs);
        self.wrote(cx, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(cx);
        self.flushed(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.io).poll_shutdown(cx);
        self.flushed(cx, shut)
    }
}

tokio::task_local! {
    /// Of the HTTP/2 stream that this task serves.
    static TAKING: Arc<Taking>;
}

/// Runs each stream of an HTTP/2 connection in a task of its own, until it ends or its reader takes nothing for too long: then that stream
/// alone is reset. Flow control keeps the connection itself going, and others may use it.
#[derive(Clone)]
pub struct Streams {
    /// How long a reader may take nothing.
    pub within: Duration,
    /// While this turns calls away, a stream is looked at before it has a task: a refusal is ready at once and needs none.
    pub overload: Option<Overload>,
}

impl<F> hyper::rt::Executor<F> for Streams
where
    F: Future + Send + 'static,
{
    fn execute(&self, stream: F) {
        let taking = Arc::new(Taking::default());
        let stream = TAKING.scope(taking.clone(), stream);
        if !self.overload.as_ref().is_some_and(Overload::refuses) {
            spawn(stream, taking, self.within);
            return;
        }
        let mut stream = Box::pin(stream);
        if stream.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            spawn(stream, taking, self.within);
        }
    }
}

fn spawn(stream: impl Future + Send + 'static, taking: Arc<Taking>, within: Duration) {
    tokio::spawn(async move {
        tokio::select! {
            biased;
            _ = stream => {}
            () = taking.stalled(within) => {}
        }
    });
}

/// Since when a part of an answer was handed out and no next one asked for.
#[derive(Debug, Default)]
struct Taking(Mutex<Option<Instant>>);

impl Taking {
    fn set(&self, handed: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = handed;
    }

    /// Ends when a part was not taken for at least `within`, and at most twice that.
    async fn stalled(&self, within: Duration) {
        loop {
            let handed = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let until = handed.unwrap_or(now) + within;
            if until <= now {
                return;
            }
            sleep_until(until).await;
        }
    }
}

/// An answer on its way. On HTTP/2 it goes piece by piece, and it is known when one is not taken.
pub struct Answer {
    body: Body,
    /// What the body gave already and is no data: trailers, or an error.
    ready: Option<Result<Frame<Bytes>, axum::Error>>,
    rest: Bytes,
    taking: Option<Arc<Taking>>,
}

/// With something that is dropped at its end.
pub struct Ending<G> {
    answer: Answer,
    _at_end: G,
}

impl Answer {
    /// Takes what is ready of a body: the whole message of a unary call is, and its size is not known before.
    pub fn begin(mut body: Body) -> Self {
        let taking = TAKING.try_with(Arc::clone).ok();
        let first = if taking.is_none() || body.is_end_stream() { None } else { body.frame().now_or_never().flatten() };
        let (rest, ready) = match first.map(|f| f.map(Frame::into_data)) {
            Some(Ok(Ok(data))) => (data, None),
            Some(Ok(Err(trailers))) => (Bytes::new(), Some(Ok(trailers))),
            Some(Err(e)) => (Bytes::new(), Some(Err(e))),
            None => (Bytes::new(), None),
        };
        Self { body, ready, rest, taking }
    }

    /// How many bytes it holds that are not taken yet.
    pub fn held(&self) -> usize {
        self.rest.len()
    }

    /// The body of the answer, with something that is dropped at its end.
    pub fn until<G>(self, at_end: G) -> Ending<G> {
        Ending { answer: self, _at_end: at_end }
    }
}

impl<G: Unpin> http_body::Body for Ending<G> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.answer).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.answer.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.answer.size_hint()
    }
}

impl http_body::Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(taking) = self.taking.clone() else { return Pin::new(&mut self.body).poll_frame(cx) };
        taking.set(None);
        if self.rest.is_empty() {
            if let Some(ready) = self.ready.take() {
                return Poll::Ready(Some(ready));
            }
            let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) else { return Poll::Pending };
            match frame.map(|f| f.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(trailers))) => return Poll::Ready(Some(Ok(trailers))),
                Some(Err(e)) => return Poll::Ready(Some(Err(e))),
                None => return Poll::Ready(None),
            }
        }
        let length = self.rest.len().min(PIECE);
        taking.set(Some(Instant::now()));
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.ready.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower().saturating_add(rest));
        if let Some(upper) = body.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint
    }
}
