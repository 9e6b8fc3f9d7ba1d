//! Looks when the next job of a class falls due, on a connection of its own that thereby tells when the database has fallen silent.

use super::{Class, TOPIC};
use crate::bus::Signal;
use anyhow::{Context, Result};
use sqlx::PgConnection;
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::{
    sync::{
        Notify,
        broadcast::{self, error::RecvError},
    },
    time::{sleep, timeout},
};

const ANSWERED_WITHIN: Duration = Duration::from_secs(4);

/// What makes a worker look for jobs, and what makes us look.
pub(super) struct Looker {
    /// Whose jobs.
    pub(super) class: Class,
    /// The longest time between two looks.
    pub(super) poll: Duration,
    /// Signals of all nodes.
    pub(super) signals: broadcast::Receiver<Signal>,
    /// A job was done: there may be another.
    pub(super) done: Arc<Notify>,
    /// Makes the worker look.
    pub(super) wake: Arc<Notify>,
}

impl Looker {
    /// Wakes the worker whenever a job is due.
    ///
    /// # Errors
    /// When the database does not answer; it ends in no other way.
    pub(super) async fn look(mut self, mut conn: PgConnection) -> Result<Infallible> {
        loop {
            let due_in_s = timeout(ANSWERED_WITHIN, self.next_due_in_s(&mut conn)).await.context("the database fell silent")??;
            let left = due_in_s.map_or(self.poll, |s| Duration::try_from_secs_f64(s).unwrap_or_default());
            if left.is_zero() {
                self.wake.notify_one();
            }
            let pause = if left.is_zero() { self.poll } else { left.min(self.poll) };
            tokio::select! {
                () = sleep(pause) => {}
                () = self.done.notified() => {}
                () = told(&mut self.signals, self.class) => {}
            }
        }
    }

    /// `None` when no job waits; negative or 0 when one is due.
    async fn next_due_in_s(&self, conn: &mut PgConnection) -> sqlx::Result<Option<f64>> {
        sqlx::query_scalar(
            "SELECT extract(epoch FROM run_at - now())::float8
             FROM graphile_worker._private_jobs
             WHERE is_available = true AND task_id = (
                 SELECT id
                 FROM graphile_worker._private_tasks
                 WHERE identifier = $1
             )
             ORDER BY run_at
             LIMIT 1",
        )
        .bind(self.class.identifier())
        .fetch_optional(conn)
        .await
    }
}

/// Ends when a job of the class was enqueued, or signals were lost.
async fn told(signals: &mut broadcast::Receiver<Signal>, class: Class) {
    loop {
        match signals.recv().await {
            Ok(Signal::About { topic, data, .. }) if topic == TOPIC && data == class.name() => return,
            Ok(Signal::About { .. }) => {}
            Ok(Signal::Lost) | Err(RecvError::Lagged(_)) => return,
            // The node stops.
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}
