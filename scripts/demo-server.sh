# Sourced by scripts that need a server of their own with the demo members: fresh data, a free port, which GOODTURN_URL names. What is set beside
# that is set before `serve_demo`; $scratch is gone with the script.
goodturn=$(realpath "${CARGO_TARGET_DIR:-target}/debug/goodturn")
CHROMIUM=$(scripts/browser.sh)
export CHROMIUM

scratch=$(mktemp -d)
chmod 755 "$scratch"
export GOODTURN_DATA_DIR="$scratch/data"
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
export GOODTURN_LISTEN="127.0.0.1:$port" GOODTURN_URL="http://127.0.0.1:$port"

serve_demo() {
  GOODTURN_DEMO=true "$goodturn" serve >"$scratch/log" 2>&1 &
  server=$!
  trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$scratch"' EXIT
  local last=$((SECONDS + 120))
  until curl --silent --fail --output /dev/null "$GOODTURN_URL/readyz"; do
    { kill -0 "$server" 2>/dev/null && ((SECONDS < last)); } || { cat "$scratch/log" >&2; exit 1; }
    sleep 0.1
  done
}
