#!/usr/bin/env bash
# Installs nextest where it is missing. Pinned: what is kept and printed differs between versions.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-nextest >/dev/null || [ -x .tools/bin/cargo-nextest ] ||
  cargo install --locked --quiet --root .tools cargo-nextest@0.9.143
