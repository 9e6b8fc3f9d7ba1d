#!/usr/bin/env bash
# What must survive what, at full numbers, on a release build. bench/soak/main.rs says what can be set, and how.
set -euo pipefail
cd "$(dirname "$0")/.."
# Inputs of all kinds first, for minutes and each time others.
if [ -z "${SOAK_ROWS:-}" ]; then
  FUZZ_S="${FUZZ_S:-150}" FUZZ_SEED="${SOAK_SEED:-$RANDOM}" cargo test --locked --quiet --test it fuzz:: -- --nocapture
fi
exec cargo bench --locked --quiet --bench soak
