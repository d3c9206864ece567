#!/bin/sh
# The numbers that the page of `report` tells by the accessibility tree are those of the commands, for all formats. Skipped where
# there is no node or no Chromium (CHROMIUM names another one).
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
if [ -z "$browser" ] || ! command -v node >/dev/null; then
    echo "skipped: no chromium, or no node"
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
ulimit -S -v unlimited # node reserves more addresses than a limit of memory allows
CHROMIUM="$browser" node "${srcdir:-.}/tests/writers/report_access.js" "$PROFKIT" "$TESTDATA" "$work"
