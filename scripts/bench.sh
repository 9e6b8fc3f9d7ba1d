#!/usr/bin/env bash
# Load on a release build, beside pgbench. bench/main.rs says what can be set, and how.
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo bench --locked --quiet --bench bench
