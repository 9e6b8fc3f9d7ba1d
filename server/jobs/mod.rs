//! Jobs: work that is enqueued in the caller's transaction and done afterwards, by any node, until it succeeds or is dead.
//!
//! The queue is graphile_worker's. Its library names a task by a type; ours are values that hold their parts, so each class of jobs is
//! one of its tasks, and the payload says which handler takes it.

mod clocks;
mod counts;
mod dead;
mod enqueue;
mod link;
mod look;
mod queue;
mod schema;
mod sweeps;
mod work;

pub use clocks::{Clocked, Moved};
pub use counts::{COUNT_MAX, Counts, counts, watch};
pub use dead::Dead;
pub use enqueue::{dismiss, enqueue, enqueue_all, enqueue_quietly};
pub use queue::{Queue, run};
pub use schema::{is_migrated, migrate};
pub use sweeps::{Sweep, run_sweeps};

use serde_json::Value;
use std::time::Duration;

/// How often a job is tried before it is dead. The wait grows as e^attempt seconds: the tries span about six hours.
pub const ATTEMPTS_MAX: i32 = 10;

/// The library's log lines hold payloads: a log filter must have this directive. `work` logs what happens in their place.
pub const LOG_DIRECTIVE: &str = "graphile_worker=off";

/// The bus topic that wakes the workers; its data is the name of a class.
const TOPIC: &str = "jobs";

/// Jobs of one kind of haste. Each class has workers of its own, so that slow ones never hold up another class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Somebody waits for a mail.
    Mail,
    /// Pictures are read and written anew: seconds of work.
    Pictures,
    /// What falls due at a time.
    Timers,
    /// Somebody waits for an SMS.
    Sms,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Mail, Self::Pictures, Self::Timers, Self::Sms];

    /// Its name, for metrics and signals.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Pictures => "pictures",
            Self::Timers => "timers",
            Self::Sms => "sms",
        }
    }

    /// How many of its jobs one node does at once.
    pub const fn at_once(self) -> usize {
        match self {
            Self::Mail => 4,
            Self::Pictures | Self::Timers | Self::Sms => 2,
        }
    }

    /// The library's name for its jobs.
    const fn identifier(self) -> &'static str {
        match self {
            Self::Mail => "goodturn_mail",
            Self::Pictures => "goodturn_pictures",
            Self::Timers => "goodturn_timers",
            Self::Sms => "goodturn_sms",
        }
    }
}

/// What is to be done: `Job { key: Some(&id), ..Job::new(Class::Mail, TASK, payload) }`.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// Whose workers do it; the handler's class.
    pub class: Class,
    /// The handler's name.
    pub task: &'static str,
    /// What the handler is told. It must hold no secret in the clear.
    pub payload: Value,
    /// Names the one job of its task: another one with this key takes its place. One that is being done is finished, and not tried
    /// again when it fails. At most 400 characters.
    pub key: Option<&'a str>,
    /// How long after now it falls due, whatever the clocks of node and database show. Zero is at once.
    pub after: Duration,
    /// Of the jobs of a class that are due, those with the lowest number come first; 0 is the usual one.
    pub priority: i16,
}

impl Job<'_> {
    /// A job that is due at once, without a key.
    pub fn new(class: Class, task: &'static str, payload: Value) -> Self {
        Self { class, task, payload, key: None, after: Duration::ZERO, priority: 0 }
    }
}

/// Does the jobs of one task. A job may be run again after a crash, so running it twice must be harmless.
#[tonic::async_trait]
pub trait Handler: Send + Sync + 'static {
    /// The class of its jobs.
    fn class(&self) -> Class;

    /// The name that its jobs have.
    fn task(&self) -> &'static str;

    /// Does one job.
    ///
    /// # Errors
    /// Any failure: the job is tried again later. The text is stored, so it must hold nothing private.
    async fn run(&self, payload: &Value) -> anyhow::Result<()>;
}
