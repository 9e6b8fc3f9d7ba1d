#!/usr/bin/env bash
# Writes .sqlx: what the checked queries need to build without a database. The database is a throw-away
# one of the program's own. With psql the migrations come from the files, so that a changed one counts
# before the program is built again. tests/it/statements.rs checks that .sqlx is fresh.
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

if command -v psql >/dev/null; then
  for file in server/migrations/*.sql; do
    psql --quiet --set ON_ERROR_STOP=1 --file "$file" "$DATABASE_URL"
  done
else
  "$goodturn" migrate
fi

# The macros write the files, so the crate must be compiled again.
touch server/lib.rs
cargo check --locked --quiet
rm -rf .sqlx
cp -r "$SQLX_OFFLINE_DIR" .sqlx
