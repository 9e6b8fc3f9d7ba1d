#!/usr/bin/env bash
# Runs a command beside a server of its own with the demo members, which GOODTURN_URL names.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/demo-server.sh
serve_demo
"$@"
