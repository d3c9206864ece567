#!/bin/sh
# Records two, table, parameters, failing and single again: ./record.sh with hyperfine 1.15 in PATH.
set -e
run() {
    name=$1
    shift
    hyperfine --style none --output null --export-json "$name.json" "$@" >/dev/null 2>&1
}
run two --warmup 1 --runs 6 --export-csv table.csv --export-markdown two.md 'sleep 0.02' 'sleep 0.03; true "x, y"'
run parameters --shell none --runs 4 --parameter-list n 0.004,0.002 --parameter-list r 1,2 \
    --command-name 'sleep é' --export-markdown parameters.md 'sleep {n}'
run failing --runs 5 --ignore-failure --command-name 'sh "$0"' 'exit $(($$ % 2))'
run single --runs 1 --export-markdown single.md 'sleep 0.01'
