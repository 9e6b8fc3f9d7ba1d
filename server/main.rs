//! The program: reads the configuration, starts the private Postgres where none is named, and does what the subcommand says.

use anyhow::{Context, Result};
use clap::Parser;
use goodturn::{
    app::Node,
    clock::Clock,
    config::{Cli, Command, Config, LogFormat},
    db,
    embedded::{Embedded, guard},
};
use std::{env, future::Future, process::ExitCode};
use tokio::{
    runtime::Runtime,
    signal::unix::{SignalKind, signal},
};
use tracing_subscriber::EnvFilter;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let result = if arguments.next().is_some_and(|first| first == guard::SUBCOMMAND) {
        guard::run(arguments)
    } else {
        let cli = Cli::parse();
        run(cli.command.unwrap_or(Command::Serve), cli.config)
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("goodturn: {cause:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, config: Config) -> Result<()> {
    let config = config.checked()?;
    init_log(&config);
    // Dropped last: Postgres stops when nothing uses it any more.
    let embedded = match config.database_url {
        Some(_) if command != Command::Postgres => None,
        _ => Some(Embedded::start(&config.data_dir, &config.web_dir)?),
    };
    let named = config.database_url.as_ref().map(|url| url.reveal().to_owned());
    let url = match &embedded {
        Some(embedded) => embedded.url().to_owned(),
        None => named.context("a database is either named or our own")?,
    };
    match command {
        Command::Serve => Runtime::new()?.block_on(serve(&config, &url)),
        Command::Migrate => Runtime::new()?.block_on(migrate(&config, &url)),
        Command::Postgres => Runtime::new()?.block_on(wait_beside(&url)),
        Command::DemoData => Ok(()),
    }
}

async fn serve(config: &Config, url: &str) -> Result<()> {
    let asked_to_stop = stop_signal()?;
    migrate(config, url).await?;
    let node = Node::start(config, url, Clock::system()).await?;
    tracing::info!(address = %node.address, url = config.public_url(), "serving");
    asked_to_stop.await;
    tracing::info!("stopping");
    node.stop().await;
    Ok(())
}

async fn migrate(config: &Config, url: &str) -> Result<()> {
    let pool = db::pool(url, config.bounds())?;
    db::migrate(&pool).await.context("migrating the database")?;
    pool.close().await;
    Ok(())
}

/// Tells where the private Postgres is, and waits.
async fn wait_beside(url: &str) -> Result<()> {
    let asked_to_stop = stop_signal()?;
    println!("{url}");
    asked_to_stop.await;
    Ok(())
}

/// Ends when the operator, or Ctrl-C, asks the program to stop. Signals count from the call on.
fn stop_signal() -> Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

fn init_log(config: &Config) {
    let filter = EnvFilter::new(&config.log);
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match config.log_format() {
        LogFormat::Json => log.json().flatten_event(true).init(),
        LogFormat::Text => log.compact().with_target(false).init(),
    }
}
