#!/usr/bin/env bash
# Writes .sqlx: what the checked queries need to build without a database. With --check it compares instead, and lints in the same
# compilation. The database is a throw-away one of the program's own; with psql the migrations come from the files, so that a changed
# one counts before the program builds again.
set -euo pipefail
cd "$(dirname "$0")/.."
goodturn="${CARGO_TARGET_DIR:-target}/debug/goodturn"

scratch=$(mktemp -d)
chmod 755 "$scratch"
"$goodturn" postgres --data-dir "$scratch/data" >"$scratch/url" 2>"$scratch/log" &
postgres=$!
trap 'kill "$postgres" 2>/dev/null || true; wait "$postgres" 2>/dev/null || true; rm -rf "$scratch"' EXIT
until [ -s "$scratch/url" ]; do
  kill -0 "$postgres" 2>/dev/null || { cat "$scratch/log" >&2; exit 1; }
  sleep 0.1
done
DATABASE_URL=$(cat "$scratch/url")
export DATABASE_URL SQLX_OFFLINE=false SQLX_OFFLINE_DIR="$scratch/sqlx"
mkdir "$SQLX_OFFLINE_DIR"

if [ "${1:-}" = --check ] || ! command -v psql >/dev/null; then
  "$goodturn" migrate
else
  for file in server/migrations/*.sql; do psql --quiet --set ON_ERROR_STOP=1 --file "$file" "$DATABASE_URL"; done
fi

# The macros write what they see, so the crate must be compiled again; what was built of it before is as good as it was.
touch -r server/lib.rs "$scratch/stamp"
touch server/lib.rs
if [ "${1:-}" = --check ]; then
  cargo clippy --locked --all-targets -- -D warnings
  touch -r "$scratch/stamp" server/lib.rs
  if ! diff -r "$SQLX_OFFLINE_DIR" .sqlx >&2; then
    echo '.sqlx is not of these queries: run `make sqlx` and commit the outcome.' >&2
    exit 1
  fi
else
  cargo check --locked --quiet
  rm -rf .sqlx
  cp -r "$SQLX_OFFLINE_DIR" .sqlx
fi
