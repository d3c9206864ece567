#!/bin/sh
# The modules of the page of `report`, one by one, in node. Skipped where there is no node.
command -v node >/dev/null || {
    echo "skipped: no node"
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp -R "${srcdir:-.}/src/writers/report" "$work/report" && cp "${srcdir:-.}/tests/writers/report_units.js" "$work/" || exit 1
echo '{"type": "module"}' >"$work/package.json"
"$PROFKIT" report "$TESTDATA/example/before.prof" >"$work/page.html" &&
    "$PROFKIT" hotspots --format csv -n 0 "$TESTDATA/example/before.prof" >"$work/hotspots.csv" &&
    "$PROFKIT" convert -q --to folded "$TESTDATA/example/before.prof" -o "$work/folded.txt" || exit 1
ulimit -S -v unlimited # node reserves more addresses than a limit of memory allows
node "$work/report_units.js" "$work/page.html" "$work/hotspots.csv" "$work/folded.txt"
