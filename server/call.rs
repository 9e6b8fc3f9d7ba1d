//! The call in which a task works: what it asks of the database counts on the share of its service and ends with its deadline, and what
//! goes wrong is logged with its id.

use crate::db::Share;
use axum::http::HeaderValue;
use std::{future::Future, sync::Arc};
use tokio::{task_local, time::Instant};

task_local! {
    static CALL: Call;
    static AT: Option<At>;
}

/// Where somebody reaches the server who came by another of its machine's own names than its address has, as `http://localhost:8080`: what
/// they are told of its addresses is under this one, since their browser loads from there alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At(pub Arc<str>);

impl At {
    /// Runs something for somebody who came there.
    pub async fn scope<F: Future>(at: Option<Self>, work: F) -> F::Output {
        AT.scope(at, work).await
    }

    /// The same for computing, on a thread of its own.
    pub fn run<T>(at: Option<Self>, work: impl FnOnce() -> T) -> T {
        AT.sync_scope(at, work)
    }

    /// That of the work in whose scope this runs; `None`: the address that everybody is told.
    pub fn current() -> Option<Self> {
        AT.try_with(Clone::clone).ok().flatten()
    }
}

/// A call, for what is done for it.
#[derive(Clone)]
pub struct Call {
    /// The share of the service.
    pub share: Arc<Share>,
    /// The deadline of the call.
    pub until: Instant,
    /// Its `x-request-id`, where it has one.
    pub request_id: Option<HeaderValue>,
    /// What the caller's program says of itself.
    pub agent: Option<HeaderValue>,
}

impl Call {
    /// Runs something as this call.
    pub async fn scope<F: Future>(self, work: F) -> F::Output {
        CALL.scope(self, work).await
    }

    /// What of the call in whose scope this runs is asked for; `None` for work of the server's own.
    pub fn current<T>(of: impl FnOnce(&Self) -> T) -> Option<T> {
        CALL.try_with(of).ok()
    }
}
