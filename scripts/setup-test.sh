#!/usr/bin/env bash
# Installs what the tests need and the machine lacks: nextest, Chromium, the packages of web/, and clients of other houses.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v cargo-nextest >/dev/null && ! [ -x .tools/bin/cargo-nextest ]; then
  cargo install --locked --quiet --root .tools cargo-nextest
fi

if ! scripts/browser.sh >/dev/null 2>&1; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    scripts/browser.sh
  fi
  apt-get update -qq
  install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null; }
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
