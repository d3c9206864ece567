#!/bin/bash
# The examples of ci/github for benchmarks, from no baseline to a regression: the inputs that they give are given to
# ci/record-and-check.sh, with a pytest and a hyperfine that write values which a file makes slower.
set -u
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
PROFKIT=$(realpath "${PROFKIT:-./profkit}")
export PROFKIT
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
unset GITHUB_ACTIONS GITHUB_OUTPUT GITHUB_STEP_SUMMARY
failed=0

mkdir bin before
cat >bin/make.py <<'END'
"""make.py pytest|hyperfine FILE: results as the tool writes them; slower: how much slower what is."""
import json, os, random, sys
def values(name):
    slower = dict(line.rsplit(None, 1) for line in open("slower")) if os.path.exists("slower") else {}
    factor = float(slower.get(name, 1)) * float(os.environ.get("MACHINE", 1))
    return [0.001 * factor * random.gauss(1, 0.01) for _ in range(20)]
machine = {"python_version": "3.13.1", "python_implementation": "CPython", "machine": "x86_64",
           "system": "Linux", "release": "6.1", "cpu": {"brand_raw": os.environ.get("CPU", "one")}}
if sys.argv[1] == "pytest":
    names = ["test_reference", "test_parse", "test_sum"]
    benchmarks = [{"group": None, "name": n, "fullname": "tests/bench/test_all.py::" + n, "params": None,
                   "param": None, "extra_info": {}, "options": {},
                   "stats": {"data": values(n), "iterations": 1, "rounds": 20}} for n in names]
    result = {"machine_info": machine, "benchmarks": benchmarks, "datetime": "2026-01-01T00:00:00", "version": "5.2.3"}
else:
    names = ["./tool small", "./tool large"]
    result = {"results": [{"command": n, "times": values(n), "exit_codes": [0] * 20} for n in names]}
    for row in result["results"]:
        t = row["times"]
        row.update(mean=sum(t) / 20, stddev=0.1, median=t[0], user=0.1, system=0.1, min=min(t), max=max(t))
json.dump(result, open(sys.argv[2], "w"))
END
cat >bin/python <<'END'
#!/bin/sh
# -m pytest --benchmark-only --benchmark-json=FILE tests/bench
[ "$2 $3 $5" = "pytest --benchmark-only tests/bench" ] || exit 9
exec python3 "$BIN/make.py" pytest "${4#--benchmark-json=}"
END
cat >bin/hyperfine <<'END'
#!/bin/sh
# --style basic --export-json FILE --warmup 2 --runs 20 './tool small' './tool large'
[ "$3 $5 $9 ${10}" = "--export-json --warmup ./tool small ./tool large" ] || exit 9
exec python3 "$BIN/make.py" hyperfine "$4"
END
chmod +x bin/python bin/hyperfine
export BIN=$work/bin PATH=$work/bin:$PATH PYTHON=$work/bin/python PYTHONHASHSEED=0

# run EXAMPLE STATUS WHAT: record-and-check.sh with the inputs of the last step of the example
run() {
    local -a options
    mapfile -d '' options < <(sed -n '$s/^ *with: {\(.*\)}$/\1/p' "$srcdir/ci/github/$1.yml" |
        sed 's/\(^\|, \)\([a-z-]*\): /\n--\2\n/g' | sed 1d | tr '\n' '\0')
    [ ${#options[@]} -ge 6 ] || { echo "no inputs in $1.yml"; failed=1; }
    "$srcdir/ci/record-and-check.sh" "${options[@]}" >out 2>err </dev/null
    status=$?
    [ $status = "$2" ] && return
    echo "$1, $3: status $status, not $2"
    cat out err
    failed=1
}

run pytest-benchmark 0 "no baseline"
grep -q 'there was no baseline' out || { echo "not said that there was no baseline"; failed=1; }
run pytest-benchmark 0 "nothing changed"
CPU=two MACHINE=1.3 run pytest-benchmark 0 "another machine, 30 % slower"
grep -q 'different machines: CPU one before, two after' out || { echo "not said: another machine"; failed=1; }
echo test_parse 1.06 >slower
run pytest-benchmark 1 "6 % slower"
grep -q 'time of test_parse' out || { echo "not said what is slower"; failed=1; }
grep -q '^before: .*perf.baseline, 5 files' out || { echo "the baseline is not named"; failed=1; }
CPU=two MACHINE=1.3 run pytest-benchmark 1 "6 % slower on another machine"
[ -s profkit-reports/junit.xml ] || { echo "no report for CI"; failed=1; }

printf '#!/bin/sh\nexit 1\n' >bin/none && chmod +x bin/none
PYTHON=$work/bin/none run pytest-benchmark 2 "not installed"
grep -q 'pip install pytest-benchmark' err || { echo "not said what is not installed"; failed=1; }

rm -rf profkit-reports slower
run hyperfine 0 "nothing changed"
echo './tool large 1.08' >slower
run hyperfine 1 "8 % slower"
grep -q 'time of ./tool large' out || { echo "not said what is slower"; failed=1; }
exit $failed
