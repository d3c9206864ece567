#!/bin/sh
# Records a program several times and compares it with a baseline: profkit-ci(7).
# Status: 0 fine, or a baseline was made; 1 slower; 2 something does not work;
# 3 the runs cannot tell (only with --fail-on inconclusive).
set -eu

usage() {
    cat <<'END'
usage: record-and-check.sh [options]
  --command TEXT     what to record: a Python script or -m MODULE, with its operands
  --recorder NAME    cprofile (default); pytest-benchmark: the command is operands of pytest;
                     hyperfine: operands of hyperfine; own: it writes to $PROFKIT_OUT
  --profiles FILES   instead of a command: profiles that are there, a pattern
  --runs N           how often to record (5)
  --before FOLDER    a checkout of what to compare with, recorded in turn; no baseline
  --baseline FILE    what to compare with, made if it is not there (perf.baseline)
  --update WHEN      write the baseline anew: never (default), passed, always
  --rules FILE       rules of profkit check
  --fail-on WHAT     regression (default), suspect, inconclusive
  --same-machine WHAT  benchmarks of different machines: warn (default), fail, ignore
  --calibrate NAME   a benchmark by which the times of the others are divided
  --reports FOLDER   where reports go (profkit-reports)
Each may be given as an environment variable: PROFKIT_COMMAND, PROFKIT_FAIL_ON...
PROFKIT names the program profkit, PYTHON that of Python.
END
}

die() {
    echo "record-and-check.sh: $*" >&2
    exit 2
}

command=${PROFKIT_COMMAND-}
recorder=${PROFKIT_RECORDER:-cprofile}
profiles=${PROFKIT_PROFILES-}
runs=${PROFKIT_RUNS:-5}
before=${PROFKIT_BEFORE-}
baseline=${PROFKIT_BASELINE:-perf.baseline}
update=${PROFKIT_UPDATE:-never}
rules=${PROFKIT_RULES-}
fail_on=${PROFKIT_FAIL_ON:-regression}
same_machine=${PROFKIT_SAME_MACHINE:-warn}
calibrate=${PROFKIT_CALIBRATE-}
reports=${PROFKIT_REPORTS:-profkit-reports}
profkit=${PROFKIT:-profkit}
python=${PYTHON:-python3}

while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --*)
        [ $# -ge 2 ] || die "$1 needs a value"
        ;;
    esac
    case $1 in
    --command) command=$2 ;;
    --recorder) recorder=$2 ;;
    --profiles) profiles=$2 ;;
    --runs) runs=$2 ;;
    --before) before=$2 ;;
    --baseline) baseline=$2 ;;
    --update) update=$2 ;;
    --rules) rules=$2 ;;
    --fail-on) fail_on=$2 ;;
    --same-machine) same_machine=$2 ;;
    --calibrate) calibrate=$2 ;;
    --reports) reports=$2 ;;
    *) die "'$1' is not known (--help lists the options)" ;;
    esac
    shift 2
done

case $runs in
'' | *[!0-9]* | 0* | ?????*) die "--runs '$runs' is not a number from 1 to 9999" ;;
esac
case $recorder in
cprofile | pytest-benchmark | hyperfine | own) ;;
*) die "--recorder '$recorder' is not cprofile, pytest-benchmark, hyperfine or own" ;;
esac
case $update in
never | passed | always) ;;
*) die "--update '$update' is not never, passed or always" ;;
esac
case $fail_on in
regression | suspect | inconclusive) ;;
*) die "--fail-on '$fail_on' is not regression, suspect or inconclusive" ;;
esac
case $same_machine in
warn | fail | ignore) ;;
*) die "--same-machine '$same_machine' is not warn, fail or ignore" ;;
esac
[ -n "$command$profiles" ] || die "nothing to do: give --command or --profiles"
[ -z "$command" ] || [ -z "$profiles" ] || die "give --command or --profiles, not both"
[ -z "$before" ] || [ -n "$command" ] || die "--before needs --command"
[ -z "$before" ] || [ -d "$before" ] || die "there is no folder '$before'"
[ -z "$rules" ] || [ -f "$rules" ] || die "there is no file of rules '$rules'"
"$profkit" --version >/dev/null 2>&1 || die "'$profkit' does not run (PROFKIT names it)"

# The rest of an earlier run would be taken for results of this one.
mkdir -p "$reports"
reports=$(cd "$reports" && pwd)
for file in report.md report.json report.html annotations.txt junit.xml gitlab.json \
    profkit.sarif comment.md; do
    rm -f "$reports/$file"
done
rm -f "$reports"/after-*.profile "$reports"/before-*.profile

# The advice for a recorder that is not installed, whose own message says something else.
missing() {
    case $recorder in
    pytest-benchmark)
        "$python" -c 'import pytest_benchmark' 2>/dev/null ||
            echo " ('$python' has no pytest-benchmark: pip install pytest-benchmark; PYTHON names another)"
        ;;
    hyperfine) command -v hyperfine >/dev/null || echo " (hyperfine is not installed)" ;;
    esac
}

# record FOLDER FILE: one run of the command in a folder. What it prints goes to standard
# error: standard output is the verdict alone.
record() {
    # The variables are expanded by the sh that runs the line.
    # shellcheck disable=SC2016
    case $recorder in
    cprofile) line='exec "$PYTHON" -m cProfile -o "$PROFKIT_OUT"' ;;
    pytest-benchmark) line='exec "$PYTHON" -m pytest --benchmark-only --benchmark-json="$PROFKIT_OUT"' ;;
    hyperfine) line='exec hyperfine --style basic --export-json "$PROFKIT_OUT"' ;;
    own) line= ;;
    esac
    (cd "$1" && PROFKIT_OUT=$2 PYTHON=$python sh -c "$line $command") >&2 ||
        die "recording failed: $command$(missing)"
    [ -s "$2" ] || die "no profile was written to PROFKIT_OUT: $command"
}

# In turn, so that a machine that becomes slower does so for both sides.
run=1
while [ -n "$command" ] && [ "$run" -le "$runs" ]; do
    number=$(printf %04d "$run")
    echo "recording run $run of $runs" >&2
    [ -z "$before" ] || record "$before" "$reports/before-$number.profile"
    record . "$reports/after-$number.profile"
    run=$((run + 1))
done

# check OPTION...: profkit check on the profiles of this side.
check() {
    if [ -n "$command" ]; then
        "$profkit" check "$@" "$reports"/after-*.profile
    else
        # shellcheck disable=SC2086 # a pattern
        "$profkit" check "$@" $profiles
    fi
}

# tell NAME VALUE: an output of the step, where GitHub runs this.
tell() {
    [ -z "${GITHUB_OUTPUT-}" ] || printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# comment FILE: the text for the pull request; its first line is how to find it again.
comment() {
    {
        echo '<!-- profkit -->'
        cat "$1"
    } >"$reports/comment.md"
    [ -z "${GITHUB_STEP_SUMMARY-}" ] || cat "$1" >>"$GITHUB_STEP_SUMMARY"
    tell comment "$reports/comment.md"
}

write_baseline() {
    case $baseline in
    */*) mkdir -p "${baseline%/*}" ;;
    esac
    check --baseline "$baseline" --update-baseline || exit 2
}

if [ -z "$before" ] && [ ! -e "$baseline" ]; then
    write_baseline
    echo "profkit: there was no baseline to compare with; these runs are the baseline now." \
        >"$reports/report.md"
    cat "$reports/report.md"
    comment "$reports/report.md"
    tell verdict baseline
    exit 0
fi

set -- --fail-on "$fail_on" --same-machine "$same_machine"
[ -z "$calibrate" ] || set -- "$@" --calibrate "$calibrate"
if [ -n "$before" ]; then
    for file in "$reports"/before-*.profile; do
        set -- "$@" --baseline "$file"
    done
else
    set -- "$@" --baseline "$baseline"
fi
[ -z "$rules" ] || set -- "$@" --rules "$rules"
status=0
check "$@" \
    --report json="$reports/report.json" \
    --report markdown="$reports/report.md" \
    --report html="$reports/report.html" \
    --report github="$reports/annotations.txt" \
    --report junit="$reports/junit.xml" \
    --report gitlab="$reports/gitlab.json" \
    --report sarif="$reports/profkit.sarif" || status=$?
case $status in
0 | 1 | 3) ;;
*) exit 2 ;;
esac
[ -z "${GITHUB_ACTIONS-}" ] || cat "$reports/annotations.txt"
comment "$reports/report.md"
tell verdict "$(sed -n 's/^  "verdict": "\([a-z]*\)",$/\1/p' "$reports/report.json")"
tell sarif "$reports/profkit.sarif"

case $before$update$status in
always? | passed0) write_baseline ;;
esac
exit $status
