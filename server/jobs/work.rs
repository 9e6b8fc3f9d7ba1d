//! One job as the library hands it over: it is given to its handler, and what came of it is told.

use super::{Class, Handler};
use graphile_worker::{IntoTaskHandlerResult, TaskHandler, WorkerContext, WorkerOptions};
use metrics::counter;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::HashMap, fmt, sync::Arc, time::Duration};
use tokio::{runtime::Handle, sync::Notify, time::timeout};
use tokio_util::task::AbortOnDropHandle;

/// A job that takes longer has failed: it would hold its place for ever.
const RUN_WITHIN: Duration = Duration::from_secs(60);

/// The handlers of one class.
#[derive(Clone)]
pub(super) struct Handlers {
    class: Class,
    handlers: Arc<HashMap<&'static str, Arc<dyn Handler>>>,
    /// Where handlers run: what they use belongs to the server, and outlives a worker that is begun anew.
    server: Handle,
    /// Told after each job.
    pub(super) done: Arc<Notify>,
}

impl Handlers {
    /// Those of a class.
    pub(super) fn of(class: Class, all: &[Arc<dyn Handler>]) -> Self {
        let handlers = all.iter().filter(|h| h.class() == class).map(|h| (h.task(), h.clone())).collect();
        Self { class, handlers: Arc::new(handlers), server: Handle::current(), done: Arc::default() }
    }

    /// Whether there is nothing that this node could do.
    pub(super) fn is_empty(&self) -> bool {
        self.handlers.is_empty()
    }

    async fn run(&self, job: Envelope) -> anyhow::Result<()> {
        // A newer node enqueued it: the next try may be that node's.
        let handler = self.handlers.get(job.task.as_str()).cloned();
        let handler = handler.ok_or_else(|| anyhow::anyhow!("no handler for this task"))?;
        let running = AbortOnDropHandle::new(self.server.spawn(async move { handler.run(&job.payload).await }));
        match timeout(RUN_WITHIN, running).await {
            Ok(Ok(done)) => done,
            // The server is gone: another one will find the job undone.
            Ok(Err(ended)) if ended.is_cancelled() => std::future::pending().await,
            Ok(Err(_)) => Err(anyhow::anyhow!("it panicked")),
            Err(_) => Err(anyhow::anyhow!("it took longer than {RUN_WITHIN:?}")),
        }
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.handlers.keys()).finish()
    }
}

/// Has a worker do the jobs of a class.
pub(super) fn define(class: Class, options: WorkerOptions) -> WorkerOptions {
    match class {
        Class::Mail => options.define_job::<Of<{ Class::Mail as usize }>>(),
        Class::Pictures => options.define_job::<Of<{ Class::Pictures as usize }>>(),
        Class::Timers => options.define_job::<Of<{ Class::Timers as usize }>>(),
        Class::Sms => options.define_job::<Of<{ Class::Sms as usize }>>(),
    }
}

/// What is in the payload of a row.
#[derive(Deserialize, Serialize)]
struct Envelope {
    task: String,
    payload: Value,
}

/// A job of the class with this number.
#[derive(Deserialize, Serialize)]
#[serde(transparent)]
struct Of<const CLASS: usize>(Envelope);

impl<const CLASS: usize> TaskHandler for Of<CLASS> {
    const IDENTIFIER: &'static str = match CLASS {
        0 => Class::Mail.identifier(),
        1 => Class::Pictures.identifier(),
        2 => Class::Timers.identifier(),
        3 => Class::Sms.identifier(),
        // Reckoned when it compiles: a class without its number here does not.
        _ => unreachable!(),
    };

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        let Some(handlers) = context.get_ext::<Handlers>() else { return Err("no handlers".to_owned()) };
        let (task, attempt) = (self.0.task.clone(), context.job().attempts());
        let done = handlers.run(self.0).await;
        let outcome = if done.is_ok() { "done" } else { "failed" };
        let class = handlers.class.name();
        counter!("goodturn_jobs_total", "class" => class, "task" => task.clone(), "outcome" => outcome).increment(1);
        handlers.done.notify_one();
        done.map_err(|cause| {
            let text = format!("{cause:#}");
            tracing::warn!(class, task, attempt, cause = text, "job failed");
            text
        })
    }
}
