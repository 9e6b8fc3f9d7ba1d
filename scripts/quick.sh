#!/usr/bin/env bash
# The checks that answer soonest after a small change: no database and no browser.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lint-while-building.sh
export SQLX_OFFLINE=true PATH="$PWD/.tools/bin:$PATH"

scripts/setup-nextest.sh
cargo fmt --check
cargo nextest run --locked --lib --test tidy
(cd web && npm run --silent check && npx --no-install vitest run --changed --passWithNoTests)
