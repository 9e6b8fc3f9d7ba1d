//! The body of a request has to come: so long between two parts of it, and so long in whole, whatever face reads it. While it is awaited,
//! its call does not count among those that keep the node busy.

use crate::edge::{deadline, overload::Admitted};
use axum::BoxError;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
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

/// How far a body has come. Stands in the extensions of its request.
#[derive(Debug, Default)]
pub struct Progress {
    ended: AtomicBool,
    late: AtomicBool,
    broken: AtomicBool,
}

impl Progress {
    /// Whether it was read to its end.
    pub fn ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Whether its caller broke it off.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Whether it was given up.
    pub fn is_late(&self) -> bool {
        self.late.load(Ordering::Relaxed)
    }
}

/// A body that is read as it comes; reading fails with DEADLINE_EXCEEDED when it does not come in time.
pub struct Arriving<B> {
    body: B,
    between: Duration,
    ends: Instant,
    /// While a part is awaited.
    waits: Option<Pin<Box<Sleep>>>,
    /// Its call, where calls are counted.
    admitted: Option<Arc<Admitted>>,
    progress: Arc<Progress>,
}

/// A picture of 5 MiB, on a slow line of a telephone.
const PICTURE_WITHIN: Duration = Duration::from_secs(120);

impl Arrival {
    /// For a request with this path: files are larger than calls.
    #[must_use]
    pub fn of(self, path: &str) -> Self {
        let is_file = path.starts_with("/pictures/uploads/");
        if is_file { Self { whole: self.whole.max(PICTURE_WITHIN), ..self } } else { self }
    }

    /// From now on.
    pub fn begin<B>(self, body: B, admitted: Option<Arc<Admitted>>, progress: Arc<Progress>) -> Arriving<B> {
        Arriving { body, between: self.between, ends: Instant::now() + self.whole, waits: None, admitted, progress }
    }
}

impl<B: Body<Data = Bytes, Error: Into<BoxError>> + Unpin> Body for Arriving<B> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Some(admitted) = &self.admitted {
            admitted.count(polled.is_ready());
        }
        if let Poll::Ready(frame) = polled {
            self.waits = None;
            match &frame {
                Some(Err(_)) => self.progress.broken.store(true, Ordering::Relaxed),
                Some(Ok(_)) if !self.body.is_end_stream() => {}
                _ => self.progress.ended.store(true, Ordering::Relaxed),
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let at = (Instant::now() + self.between).min(self.ends);
        let waits = self.waits.get_or_insert_with(|| Box::pin(sleep_until(at)));
        let late = waits.as_mut().poll(cx);
        if late.is_ready() {
            self.progress.late.store(true, Ordering::Relaxed);
        }
        late.map(|()| Some(Err(deadline::body_came_late().into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The most bytes of an unwanted body that are read before the answer.
const LEFT_BYTES_MAX: usize = 8 << 20;

/// A request body that its handler may drop before its end.
pub struct Lent<B>(Arc<Mutex<B>>);

/// The unread rest of a lent body.
pub struct Left<B>(Arc<Mutex<B>>);

/// Splits a body into the part for the handler and its unread rest.
pub fn lend<B>(body: B) -> (Lent<B>, Left<B>) {
    let body = Arc::new(Mutex::new(body));
    (Lent(body.clone()), Left(body))
}

impl<B> Lent<B> {
    fn body(&self) -> MutexGuard<'_, B> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<B: Body + Unpin> Body for Lent<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut *self.body()).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body().size_hint()
    }
}

impl<B: Body<Data = Bytes> + Unpin> Left<B> {
    /// Reads the rest of a dropped body, up to 8 MiB. Some HTTP/2 clients lose an answer that arrives while they still send.
    pub async fn read_on(self) {
        let Ok(body) = Arc::try_unwrap(self.0) else { return };
        let mut body = body.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut left = LEFT_BYTES_MAX;
        while let Some(Ok(frame)) = body.frame().await {
            match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
                Some(rest) => left = rest,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;
    use std::convert::Infallible;
    use tokio::time::sleep;

    const ARRIVAL: Arrival = Arrival { between: Duration::from_millis(400), whole: Duration::from_millis(1200) };

    /// Reads a body of so many parts, each so long after the other: whether it came in time, and how long it took to know.
    async fn read(parts: u32, apart: Duration) -> (bool, Duration) {
        let body = axum::body::Body::from_stream(stream::unfold(0, move |n| async move {
            if n == parts {
                return None;
            }
            sleep(apart).await;
            Some((Ok::<_, Infallible>("x"), n + 1))
        }));
        let began = Instant::now();
        let came = ARRIVAL.begin(body, None, Arc::default()).collect().await.is_ok();
        (came, began.elapsed())
    }

    #[test]
    fn a_file_may_take_longer_than_a_call_and_stalls_no_longer() {
        let file = ARRIVAL.of("/pictures/uploads/0190");
        assert_eq!((file.whole, file.between), (PICTURE_WITHIN, ARRIVAL.between));
        assert_eq!(ARRIVAL.of("/pictures/renditions/0190").whole, ARRIVAL.whole);
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
