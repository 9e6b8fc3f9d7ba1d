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
# A step whose outcome is told by `await`: while it runs, another uses the rest of the machine.
begin() {
  beside=$(mktemp)
  ("$@") >"$beside" 2>&1 &
  job=$!
}
await() {
  local ended=0
  wait "$job" || ended=$?
  cat "$beside"
  rm -f "$beside"
  return "$ended"
}
# Once more on each Postgres of the machine, the oldest that is supported being 15: every statement, and what Postgres decides by itself, which are
# locks, plans and migrations.
other_postgres() {
  local bin version
  for bin in /usr/lib/postgresql/*/bin/postgres; do
    version=$(basename "${bin%/bin/postgres}")
    { [ -x "$bin" ] && [ "${version%%.*}" -ge 15 ]; } || continue
    GOODTURN_TEST_POSTGRES=$version cargo nextest run --locked \
      -E '(test(/^(budgets|finding|job_rows|jobs|migrate|races|statements|sweeps)::/) + test(/::(lists|races|walks)::/)) & binary(it)'
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
step 'web: build' make --no-print-directory web
step 'web: size' web size
begin web test
step 'server: build' cargo nextest run --locked --no-run
step 'web: unit tests, beside that' await
step 'server: lints, and .sqlx is fresh' scripts/sqlx.sh --check
step 'server: tests' cargo nextest run --locked
step 'server: tests on the Postgres of the machine' other_postgres
step 'browser: tests' scripts/e2e.sh
step 'crates' scripts/audit.sh --if-installed
step 'work tree' unchanged
printf '\nAll of it passed in %d s.\n' "$SECONDS"
