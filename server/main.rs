//! The program. All of it is in the library, so that one crate compiles each async function once.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    goodturn::commands::main()
}
