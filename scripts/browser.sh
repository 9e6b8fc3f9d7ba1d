#!/usr/bin/env bash
# Prints the browser of the tests: CHROMIUM, or the first of these. The one without windows needs a third less, since the other draws its
# own with parts that are web pages themselves.
for browser in "${CHROMIUM:-}" /usr/bin/chromium-headless-shell /usr/bin/chromium; do
  if [ -x "$browser" ]; then
    echo "$browser"
    exit
  fi
done
echo 'There is no Chromium: install it, and set CHROMIUM where it is not /usr/bin/chromium.' >&2
exit 1
