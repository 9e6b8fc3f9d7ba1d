#!/usr/bin/env bash
# Installs what the tests need and the machine lacks: nextest, Chromium, the packages of web/, and clients of other houses.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup-nextest.sh

# Without root or apt the missing program is named.
lacks() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && return
  echo "Install $1, then run this again." >&2
  exit 1
}
updated=false
install() {
  [ "$updated" = true ] || apt-get update -qq
  updated=true
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
if ! command -v curl >/dev/null; then
  lacks curl
  install curl ca-certificates
fi
if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
  lacks 'Python 3 with venv'
  install python3 python3-venv
fi
if ! scripts/browser.sh >/dev/null 2>&1; then
  lacks 'Chromium (or set CHROMIUM)'
  install chromium-headless-shell || install chromium
fi

make --no-print-directory web/node_modules/.package-lock.json

# npm writes this file itself, at the end of an installation.
clients=tests/clients
if [ "$clients/package-lock.json" -nt "$clients/node_modules/.package-lock.json" ]; then
  (cd "$clients" && npm ci --ignore-scripts --silent)
fi

venv=.tools/venv
if ! cmp -s tests/requirements.txt "$venv/requirements.txt"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r tests/requirements.txt
  cp tests/requirements.txt "$venv/requirements.txt"
fi
