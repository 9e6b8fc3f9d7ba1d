//! What operators do by the command line, on the database of the configuration and beside running servers. Each use is noted in the audit, in the
//! transaction of what it does.

mod account_deletion;
mod audit;
mod keys;
mod members;
mod print;
mod store;

use crate::{
    app,
    clock::Clock,
    config::{Command, Config},
    deps::Deps,
    identity::UserPool,
};
use anyhow::{Result, bail};
use audit::Operator;
use print::Output;
use std::{fmt, sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

/// How long the signals of a command may take to be sent. Nodes look at the rows in a moment all the same.
const SAID_WITHIN: Duration = Duration::from_secs(5);

/// What a command named is not there.
#[derive(Debug)]
pub struct NotThere(String);

impl fmt::Display for NotThere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotThere {}

/// What a command works with.
struct Desk {
    deps: Deps,
    pool: Arc<UserPool>,
    operator: Operator,
    out: Output,
}

/// Does what an operator's command says, on a migrated database.
///
/// # Errors
/// What went wrong; `NotThere` when what it named is not there.
pub async fn run(config: &Config, database_url: &str, command: Command) -> Result<()> {
    let stop = CancellationToken::new();
    let _stops_at_the_end = stop.clone().drop_guard();
    let deps = app::deps(config, database_url, Clock::system(), &stop)?;
    let pool = app::user_pool(config, &deps, &stop).await?;
    let operator = Operator::of_this_process();
    let done = match command {
        Command::Members(members) => {
            let desk = Desk { deps: deps.clone(), pool, operator, out: Output { json: members.json } };
            desk.members(members.action).await
        }
        Command::Keys(keys) => {
            let desk = Desk { deps: deps.clone(), pool, operator, out: Output { json: keys.json } };
            desk.keys(keys.action).await
        }
        Command::Serve | Command::Migrate | Command::DemoData | Command::Postgres => bail!("this is no operator's command"),
    };
    if !deps.bus.flush(SAID_WITHIN).await {
        tracing::warn!("running nodes were not told; they look at the rows within a minute");
    }
    done
}
