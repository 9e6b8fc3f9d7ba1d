//! Parent and child die together: the guard asks the kernel to stop Postgres when the server ends, then becomes Postgres.

use anyhow::{Context, Result};
use std::{
    ffi::OsString,
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, id},
};

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "guard";

/// A command that runs a program through the guard. The death of the thread that starts it counts, so start it from one that stays.
///
/// # Errors
/// When this program's own file cannot be found.
pub fn command(program: &Path) -> Result<Command> {
    if cfg!(not(target_os = "linux")) {
        // No such request elsewhere: what a killed server leaves behind is stopped at the next start.
        return Ok(Command::new(program));
    }
    // This link works where the path would not: after the file was replaced, and for an account that cannot enter its directory.
    let mut command = Command::new("/proc/self/exe");
    command.arg(SUBCOMMAND).arg(id().to_string()).arg(program);
    Ok(command)
}

/// What the hidden subcommand does: returns only when it fails. It runs after the change of account, which would undo the request.
///
/// # Errors
/// When the server is gone already, or the program cannot be run.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> Result<()> {
    let server: u32 = arguments.next().and_then(|a| a.to_str()?.parse().ok()).context("the guard needs the id of its server")?;
    let program = arguments.next().context("the guard needs a program")?;
    die_with(server)?;
    let failure = Command::new(&program).args(arguments).exec();
    Err(failure).with_context(|| format!("running {}", program.display()))
}

#[cfg(target_os = "linux")]
fn die_with(server: u32) -> Result<()> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::INT))?;
    let parent = getppid().and_then(|pid| u32::try_from(pid.as_raw_nonzero().get()).ok());
    // It may have died before we asked.
    anyhow::ensure!(parent == Some(server), "the server is gone");
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn die_with(_server: u32) -> Result<()> {
    Ok(())
}
