#!/bin/bash
# The keys of rows that profkit-output(5) promises are those that commands print.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# check NAME COMMAND...: the header of its CSV is as documented for NAME.
check() {
    local name=$1 want got
    shift
    want=$("$DOCGEN" keys "$name") || failed=1
    got=$("$PROFKIT" "$@" --format csv | head -n 1)
    [ "$got" = "$want" ] && return
    echo "$name: documented: $want"
    echo "$name: printed:    $got"
    failed=1
}

cp "$TESTDATA/example/before.prof" a.prof
check hotspots hotspots a.prof
check check check --baseline a.prof a.prof
check callers callers parse a.prof
check callers callees parse a.prof
check tree tree a.prof
"$PROFKIT" store add -q runs.db a.prof
check "store list" store list runs.db
check ops ops "$TESTDATA/torch/gpu.json"
check callgraph callgraph --list-functions '*' a.prof

# Those of --stats come after the others.
want=$("$DOCGEN" keys hotspots),$("$DOCGEN" keys "hotspots --stats")
got=$("$PROFKIT" hotspots --stats --format csv "$TESTDATA/speedscope/evented.speedscope.json" |
    head -n 1)
if [ "$got" != "$want" ]; then
    echo "hotspots --stats: documented: $want"
    echo "hotspots --stats: printed:    $got"
    failed=1
fi
# Those of --by-worker, too, with as many of workers as there are.
want=$("$DOCGEN" keys hotspots),$("$DOCGEN" keys "hotspots --by-worker")
want=${want/worker_1 ... worker_8/worker_1}
got=$("$PROFKIT" hotspots --by-worker --format csv "$TESTDATA/speedscope/evented.speedscope.json" |
    head -n 1)
if [ "$got" != "$want" ]; then
    echo "hotspots --by-worker: documented: $want"
    echo "hotspots --by-worker: printed:    $got"
    failed=1
fi
# Every key of the object of workers is in the page, in its section; texts of evidence are free.
"$DOCGEN" man . || failed=1
section=$(sed -n '/THE OBJECT OF WORKERS/,/THE FORMAT JSON/s/\\f[BP]//gp' profkit-output.5)
keys=$("$PROFKIT" workers -q --format json "$TESTDATA/workers/chunks.json" |
    grep -v '"evidence":\|"schema"\|"version"\|"inputs"\|"path"' | grep -o '"[a-z_]*":' | tr -d '":' | sort -u)
[ -n "$keys" ] || failed=1
for key in $keys evidence; do
    if ! grep -qw "$key" <<<"$section"; then
        echo "workers: the key $key is not documented"
        failed=1
    fi
done
exit $failed
