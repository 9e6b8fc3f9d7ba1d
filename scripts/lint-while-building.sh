# Sourced: cargo compiles the workspace with Clippy's driver, so that one compilation serves both the
# lints and the tests. Every warning is an error.
clippy_driver() { rustup which clippy-driver 2>/dev/null || command -v clippy-driver; }
if ! command -v rustfmt >/dev/null || ! clippy_driver >/dev/null; then
  rustup component add clippy rustfmt
fi
RUSTC_WORKSPACE_WRAPPER=$(clippy_driver)
export RUSTC_WORKSPACE_WRAPPER
# The variable by which `cargo clippy` passes arguments to the driver.
export CLIPPY_ARGS='-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__'
# No test reads line numbers of a backtrace.
export CARGO_PROFILE_DEV_DEBUG=0
