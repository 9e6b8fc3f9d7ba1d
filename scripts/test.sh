#!/usr/bin/env bash
# Everything that must hold before a change lands: what is quick first, each part built once. GOODTURN_TEST_POSTGRES=15 takes another
# Postgres than the best one found.
set -euo pipefail
cd "$(dirname "$0")/.."
export SQLX_OFFLINE=true PATH="$PWD/.tools/bin:$PATH"
unset DATABASE_URL

step() {
  printf '\n== %s (after %d s)\n' "$1" "$SECONDS"
  shift
  "$@"
}
web() { (cd web && npm run --silent "$1"); }
# The areas once more on each Postgres of the machine: the oldest that is supported is 15.
other_postgres() {
  local bin version
  for bin in /usr/lib/postgresql/*/bin/postgres; do
    version=$(basename "${bin%/bin/postgres}")
    { [ -x "$bin" ] && [ "${version%%.*}" -ge 15 ]; } || continue
    GOODTURN_TEST_POSTGRES=$version cargo nextest run --locked -E 'test(/^(blocks|budgets|favors|finding|friends|groups|hooks|identity|invitations|items|job_rows|jobs|migrate|mutes|notification_mails|notifications|pictures|races|rentals|sweeps)::/) & binary(it)'
  done
}
unchanged() {
  [ "$(git status --porcelain)" = "$before" ] && return
  echo 'The run changed the work tree:' >&2
  git status --short >&2
  return 1
}
before=$(git status --porcelain)

step 'tools' scripts/setup-test.sh
step 'format' cargo fmt --check
step 'contract' scripts/proto-check.sh
step 'web: types and lints' web check
step 'web: unit tests' web test
step 'web: build' make --no-print-directory web
step 'web: size' web size
step 'server: build' cargo nextest run --locked --no-run
step 'server: lints, and .sqlx is fresh' scripts/sqlx.sh --check
step 'server: tests' cargo nextest run --locked
step 'server: tests on the Postgres of the machine' other_postgres
step 'browser: tests' scripts/e2e.sh
step 'crates' scripts/audit.sh --if-installed
step 'work tree' unchanged
printf '\nAll of it passed in %d s.\n' "$SECONDS"
