#!/usr/bin/env bash
# What must survive what, at full numbers, on a release build. bench/soak/main.rs says what can be set, and how.
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo bench --locked --quiet --bench soak
