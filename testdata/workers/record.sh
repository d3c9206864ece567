#!/bin/sh
# record.sh FOLDER: records the scenarios of pool.py with what is installed of viztracer, py-spy
# and perf. For looking at; tests use traces of make.py, which are always the same.
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1" || exit 1
for scenario in good tiny tail chunks; do
    run="$here/pool.py $scenario"
    if command -v viztracer >/dev/null; then
        viztracer --min_duration 20us -o "$scenario.viztracer.json" -- $run
    fi
    if command -v py-spy >/dev/null; then
        py-spy record -s -r 200 -f raw -o "$scenario.raw.txt" -- python3 $run
        py-spy record -s -r 200 -f speedscope -o "$scenario.speedscope.json" -- python3 $run
        py-spy record -s -i -r 200 -f chrometrace -o "$scenario.chrometrace.json" -- python3 $run
    fi
    if command -v perf >/dev/null; then
        perf record -q -e cpu-clock -F 199 -g -o perf.data -- python3 $run &&
            perf script -i perf.data --show-task-events >"$scenario.perf.txt"
        rm -f perf.data
    fi
done
