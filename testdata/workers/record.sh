#!/bin/sh
# record.sh FOLDER: records the scenarios of spread.py and, in FOLDER/contended, of contend.py with what is installed of viztracer, py-spy
# and perf, which need the right to trace and to count (ptrace, perf_event_open). What is in
# recorded/ and contended/ was made by it; see SOURCE.
set -e
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$here"

keep() { # FILE: trimmed and compressed
    ./trim.py "$1" && gzip -9nf "$1"
}

for scenario in good tiny tail chunks; do
    short= few= least=20us
    case $scenario in
    good) few=64 ;;
    tiny) short=420 least="2us --ignore_c_function" ;;
    esac
    if command -v viztracer >/dev/null; then
        # shellcheck disable=SC2086 # several words
        timeout 60 viztracer --quiet --min_duration $least -o "$out/$scenario.viztracer.json" -- \
            spread.py $scenario $short
        keep "$out/$scenario.viztracer.json"
    fi
    if command -v py-spy >/dev/null; then
        while read -r rate format file tasks; do
            timeout 60 py-spy record -s -r "$rate" -f "$format" -o "$out/$scenario.$file" -- \
                python3 spread.py $scenario $tasks </dev/null
            keep "$out/$scenario.$file"
        done <<END
200 raw py-spy.txt
200 speedscope speedscope.json
25 chrometrace chrometrace.json $few
END
    fi
    if command -v perf >/dev/null; then
        timeout 60 perf record -q -e cpu-clock -F 199 -g -o "$out/perf.data" -- \
            python3 spread.py $scenario
        perf script -i "$out/perf.data" --show-task-events >"$out/$scenario.perf.txt"
        rm -f "$out/perf.data"
        keep "$out/$scenario.perf.txt"
    fi
done

mkdir -p "$out/contended"
for scenario in "lock" "starve" "chunks" "lock threads"; do
    name=$out/contended/$(echo "$scenario" | tr ' ' .)
    if command -v viztracer >/dev/null; then
        # shellcheck disable=SC2086
        timeout 100 viztracer --quiet --min_duration 20us -o "$name.viztracer.json" -- contend.py $scenario
        keep "$name.viztracer.json"
    fi
    if command -v py-spy >/dev/null; then
        while read -r format file; do
            # shellcheck disable=SC2086
            timeout 100 py-spy record -s -r 200 -f "$format" -o "$name.$file" -- \
                python3 contend.py $scenario </dev/null
            keep "$name.$file"
        done <<END
raw py-spy.txt
speedscope speedscope.json
chrometrace chrometrace.json
END
    fi
    if command -v perf >/dev/null; then
        # shellcheck disable=SC2086
        timeout 100 perf record -q -e cpu-clock -F 199 -g -o "$out/perf.data" -- \
            python3 contend.py $scenario
        perf script -i "$out/perf.data" --show-task-events >"$name.perf.txt"
        rm -f "$out/perf.data"
        keep "$name.perf.txt"
    fi
done
