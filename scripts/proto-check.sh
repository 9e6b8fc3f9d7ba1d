#!/usr/bin/env bash
# Checks the contract: style, format, that no client of the last release breaks, and that the browser's types are of this contract.
#
# proto/release.binpb is the contract as it was last released; `buf build proto --exclude-source-info -o proto/release.binpb` makes it.
# It is renewed in the commit that makes a release, and in no other: until then a change that breaks a client fails here. Before the
# first release there are no clients, and it follows the contract.
set -euo pipefail
cd "$(dirname "$0")/.."
buf=web/node_modules/.bin/buf

"$buf" lint
"$buf" format proto --diff --exit-code
"$buf" breaking proto --exclude-imports --against proto/release.binpb

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$buf" generate -o "$fresh"
"$buf" generate --template buf.gen.later.yaml -o "$fresh"
if ! diff -r "$fresh/web/src/gen" web/src/gen; then
  echo 'web/src/gen is not of this contract: run make proto and commit the outcome.' >&2
  exit 1
fi
