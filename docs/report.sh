#!/bin/sh
# Makes report.png, the picture in the README: the page of the samples that flamegraph.sh takes, at its flame graph,
# in Chromium. The same samples and the same browser with the same fonts give the same picture.
#
# usage: docs/report.sh        with profkit, chromium in PATH
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
profkit report flamegraph.folded.gz -o "$work/report.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/user" --window-size=1200,690 \
    --virtual-time-budget=5000 --screenshot="$PWD/report.png" "file://$work/report.html#view=flame" 2>"$work/log" || {
    cat "$work/log" >&2
    exit 1
}
if command -v optipng >/dev/null; then
    optipng -quiet -o2 report.png
fi
