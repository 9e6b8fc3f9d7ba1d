#!/usr/bin/env bash
# Every check that must pass before a change lands. GOODTURN_TEST_POSTGRES=15 runs the server's tests
# on that Postgres instead of the newest one found. With --all the checks that seldom find anything
# run too: all tests of SQL on each other Postgres of the machine, and known vulnerabilities.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lint-while-building.sh
export SQLX_OFFLINE=true PATH="$PWD/.tools/bin:$PATH"
unset DATABASE_URL UPDATE_SNAPSHOTS

step() {
  printf '\n== %s (after %d s)\n' "$1" "$SECONDS"
  shift
  "$@"
}

web() { (cd web && npm run --silent "$1"); }

start_in_background() {
  output=$(mktemp)
  "$@" >"$output" 2>&1 &
  job=$!
  # Another step may fail first.
  trap 'kill "$job" 2>/dev/null || true; cat "$output"; rm -f "$output"' EXIT
}

finish_background() {
  local status=0
  wait "$job" || status=$?
  trap - EXIT
  cat "$output"
  rm -f "$output"
  return "$status"
}

# Postgres 15 is the oldest that is supported. Statements and migrations are what versions differ in;
# --all adds the tests of locks, plans and jobs.
other_postgres() {
  local tried=none binary version filter='test(/^(migrate|statements)::/) - test(sqlx_files)'
  if [ "$all" = true ]; then
    filter+=' + test(/^(budgets|finding|job_rows|jobs|races|sweeps)::/) + test(/::(lists|races|walks)::/)'
  fi
  for binary in /usr/lib/postgresql/*/bin/postgres; do
    version=$(basename "${binary%/bin/postgres}")
    { [ -x "$binary" ] && [ "${version%%.*}" -ge 15 ]; } || continue
    GOODTURN_TEST_POSTGRES=$version cargo nextest run --locked -E "($filter) & binary(it)"
    tried=$version
  done
  [ "$tried" != none ] || echo 'The machine has no Postgres of its own: no other version was tried.'
}

# The pseudo-language needs a second walk through all screens. Unit tests find texts that are not in a
# words file or are put together, and the sweep finds texts without room by large letters.
browser_tests() {
  if [ "$all" = true ]; then scripts/e2e.sh; else scripts/e2e.sh --grep-invert 'pseudo\.spec'; fi
}

tree() { git status --porcelain; git diff HEAD | sha1sum; }

unchanged() {
  [ "$(tree)" = "$before" ] && return
  echo 'The run changed the work tree:' >&2
  git status --short >&2
  return 1
}

all=false
[ "${1:-}" != --all ] || all=true
before=$(tree)

# The server's build leaves a core idle for minutes: what needs no server runs beside it.
start_in_background cargo build --locked --all-targets
step 'tools' scripts/setup-test.sh
step 'format' cargo fmt --check
step 'contract' scripts/proto-check.sh
step 'web: build' make --no-print-directory web
step 'web: types and lints' web check
step 'web: size' web size
step 'web: unit tests' web test
step 'server: build and lints' finish_background
step 'server: tests' cargo nextest run --locked
step 'server: tests on other versions of Postgres' other_postgres
step 'browser: tests' browser_tests
if [ "$all" = true ]; then
  step 'crates and packages' scripts/audit.sh
else
  step 'crates' scripts/audit.sh --if-installed
fi
step 'work tree' unchanged
[ ! -s web/test-results/flaky.txt ] || { echo 'Passed at the second try:'; cat web/test-results/flaky.txt; }
printf '\nAll of it passed in %d s.\n' "$SECONDS"
