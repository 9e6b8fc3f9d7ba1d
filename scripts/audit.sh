#!/usr/bin/env bash
# Licences, sources and bans of the crates (deny.toml). Known holes need databases from elsewhere: they are asked where those can be had.
# With --if-installed it does without cargo-deny, whose own build takes longer than the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/.tools/bin:$PATH"

if ! command -v cargo-deny >/dev/null; then
  if [ "${1:-}" = --if-installed ]; then
    echo 'cargo-deny is not installed, so the crates are not checked; `make audit` installs it.'
    exit 0
  fi
  cargo install --locked --quiet --root .tools cargo-deny
fi
cargo deny --all-features --log-level error check bans licenses sources
if [ "${1:-}" != --if-installed ]; then
  cargo deny --log-level error check advisories || echo 'Advisories were not checked, or there are some: see above.' >&2
  for packages in web tests/clients; do
    (cd "$packages" && npm audit) || echo "npm was not asked of $packages, or has advisories: see above." >&2
  done
fi
