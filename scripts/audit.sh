#!/usr/bin/env bash
# Licences, sources and bans of the crates (deny.toml), and known vulnerabilities of crates and npm packages.
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
  # The databases are elsewhere: without a network nothing is found, and that is said.
  if cargo deny fetch db; then
    cargo deny --log-level error check --disable-fetch advisories
  else
    echo 'The advisories of crates cannot be reached, so they were not checked.' >&2
  fi
  for packages in web tests/clients; do
    if npm ping >/dev/null 2>&1; then
      (cd "$packages" && npm audit --audit-level=high)
    else
      echo "The advisories of npm cannot be reached, so $packages was not checked." >&2
    fi
  done
fi
