//! The program's commands. Reads the configuration, starts the private Postgres if no database is named, and runs the subcommand.

use crate::{
    app::Node,
    clock::Clock,
    config::{Cli, Command, Config, LogFormat, Mode},
    demo,
    embedded::{Embedded, guard},
    jobs, migrate, operators,
};
use anyhow::{Context, Result, ensure};
use std::{env, future::Future, io::IsTerminal, process::ExitCode, time::Duration};
use tokio::{
    runtime::{self, Runtime},
    signal::unix::{SignalKind, signal},
};
use tracing_subscriber::EnvFilter;

/// The time that threads have to end after everything else has stopped.
const STOPPED_WITHIN: Duration = Duration::from_millis(500);

/// Exit code if the member or key that an operator named does not exist. 1 is any other failure, 2 a usage error.
const NOT_THERE: u8 = 3;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let result = if arguments.next().is_some_and(|first| first == guard::SUBCOMMAND) {
        guard::run(arguments)
    } else {
        let cli = Cli::read(env::args_os());
        run(cli.command.unwrap_or(Command::Serve), cli.config)
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("goodturn: {cause:#}");
            if cause.is::<operators::NotThere>() { ExitCode::from(NOT_THERE) } else { ExitCode::FAILURE }
        }
    }
}

fn run(command: Command, config: Config) -> Result<()> {
    let config = config.checked()?;
    init_log(&config, &command);
    // Dropped last: Postgres stops when nothing uses it any more.
    let (url, _embedded) = match &config.database_url {
        Some(url) if command != Command::Postgres => (url.reveal().to_owned(), None),
        // If a server runs on the directory, operators use its Postgres.
        _ if command.is_operators() => Embedded::reach(&config.data_dir, &config.web_dir)?,
        _ => {
            let embedded = Embedded::start(&config.data_dir, &config.web_dir)?;
            (embedded.url().to_owned(), Some(embedded))
        }
    };
    match command {
        Command::Postgres => small_runtime()?.block_on(wait_beside(&url)),
        Command::Migrate => small_runtime()?.block_on(migrate(&url)),
        Command::Serve => {
            let runtime = runtime::Builder::new_multi_thread().enable_all().build()?;
            let served = runtime.block_on(serve(&config, &url));
            // A task that still waits for a silent database or a free core must not delay the exit.
            runtime.shutdown_timeout(STOPPED_WITHIN);
            served
        }
        Command::DemoData => small_runtime()?.block_on(only_demo_data(&config, &url)),
        Command::Members(_) | Command::Keys(_) => small_runtime()?.block_on(operate(&config, &url, command)),
    }
}

async fn migrate(url: &str) -> Result<()> {
    migrate::run(url).await.context("--database-url (DATABASE_URL): the database")
}

/// Prints the address of the private Postgres, and waits for a signal.
async fn wait_beside(url: &str) -> Result<()> {
    let stopped = stop_signal()?;
    println!("{url}");
    stopped.await;
    Ok(())
}

async fn serve(config: &Config, url: &str) -> Result<()> {
    let stopped = stop_signal()?;
    migrate(url).await?;
    if config.demo {
        demo_data(config, url).await?;
    }
    let node = Node::start(config, url, Clock::system()).await?;
    announce(config, &node);
    stopped.await;
    tracing::info!("stopping: calls in flight are finished");
    node.stop().await;
    Ok(())
}

async fn operate(config: &Config, url: &str, command: Command) -> Result<()> {
    migrate(url).await?;
    operators::run(config, url, command).await
}

async fn only_demo_data(config: &Config, url: &str) -> Result<()> {
    ensure!(config.mode == Mode::Local, "demo data is for local mode: --mode (GOODTURN_MODE)");
    migrate(url).await?;
    demo_data(config, url).await
}

async fn demo_data(config: &Config, url: &str) -> Result<()> {
    let added = demo::seed(config, url).await?;
    tracing::info!(added, "demo data");
    Ok(())
}

/// Prints the addresses and demo sign-ins for a person at the terminal. The log goes to stderr.
fn announce(config: &Config, node: &Node) {
    println!("Goodturn serves on {}", config.public_url().replace(&config.listen.to_string(), &node.address.to_string()));
    if let Some(address) = node.metrics_address {
        println!("  metrics          http://{address}/metrics");
    }
    if config.mode == Mode::Local {
        println!("  mail             http://{}/dev/outbox", node.address);
    }
    if config.demo {
        for (name, email) in demo::sign_ins() {
            println!("  demo sign-in     {email}  password {}  ({name})", demo::PASSWORD);
        }
    }
}

fn small_runtime() -> Result<Runtime> {
    Ok(runtime::Builder::new_current_thread().enable_all().build()?)
}

/// A future that ends at SIGTERM or Ctrl-C. It catches signals from this call on.
fn stop_signal() -> Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Operator commands log only warnings by default, so that their output stands alone.
fn init_log(config: &Config, command: &Command) {
    // The job library logs payloads, so its lines are dropped whatever the configuration says.
    let library = jobs::LOG_DIRECTIVE.parse().expect("it is a directive");
    let level = if command.is_operators() && config.log == "info" { "warn" } else { &config.log };
    let filter = EnvFilter::new(level).add_directive(library);
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr);
    match config.log_format() {
        LogFormat::Json => log.json().flatten_event(true).init(),
        LogFormat::Text => log.compact().with_target(false).init(),
    }
}
