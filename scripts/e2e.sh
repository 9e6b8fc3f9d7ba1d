#!/usr/bin/env bash
# The browser tests and the examples of the README, against a server of their own with the demo members: fresh data, a free port.
# Arguments go to Playwright.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/demo-server.sh
# What tests call as an operator does.
export GOODTURN_PROGRAM="$goodturn"

# Many sign-ups, sign-ins and wrong codes come from one address here.
export GOODTURN_RATE_PER_ADDRESS=1000:4000 GOODTURN_RATE_IDENTITY=100:1000 GOODTURN_MAILS_PER_NETWORK=10000 GOODTURN_TRIES_NETWORK=10000

# Mails about notifications are looked at too.
export GOODTURN_MAIL_DELAY_S=3

# One that wants a second factor of everybody, and one that remembers devices as the web app does.
cat >"$scratch/clients.toml" <<CLIENTS
[[client]]
id = "strict"
mfa = "required"
callbacks = ["$GOODTURN_URL/auth/callback"]

[[client]]
id = "remembering"
rotates = true
devices = "opt-in"
CLIENTS
export GOODTURN_CLIENTS_FILE="$scratch/clients.toml"

serve_demo

failures=web/test-results/failures.txt
rm -f "$failures" web/test-results/flaky.txt
if ! { (cd web && npx --no-install playwright test "$@") && GOODTURN="$GOODTURN_URL" node scripts/readme-examples.mjs; }; then
  echo 'What the server said of itself:' >&2
  grep -v ' INFO ' "$scratch/log" | tail -n 20 >&2 || true
  # Last, where a log that is cut still has it.
  if [ -f "$failures" ]; then
    echo 'What failed:' >&2
    cat "$failures" >&2
  fi
  exit 1
fi
