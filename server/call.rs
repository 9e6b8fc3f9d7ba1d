//! The call in which a task works: what it asks of the database counts on the share of its service and ends with its deadline, and what
//! goes wrong is logged with its id.

use crate::db::Share;
use axum::http::HeaderValue;
use std::{future::Future, sync::Arc};
use tokio::{task_local, time::Instant};

task_local! {
    static CALL: Call;
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
