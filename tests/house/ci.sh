#!/bin/bash
# ci/record-and-check.sh: the first run makes the baseline, an equal program passes, one that
# calls more fails and leaves every report; the templates ask for what the script knows.
set -u
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
PROFKIT=$(realpath "${PROFKIT:-./profkit}")
script=$srcdir/ci/record-and-check.sh
export PROFKIT
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
unset GITHUB_ACTIONS GITHUB_OUTPUT GITHUB_STEP_SUMMARY
for variable in COMMAND RECORDER PROFILES RUNS BEFORE BASELINE UPDATE RULES FAIL_ON REPORTS; do
    unset "PROFKIT_$variable"
done
failed=0
fail() {
    echo "$*"
    failed=1
}

# expect STATUS WHAT OPTION...
expect() {
    local wanted=$1 what=$2 status
    shift 2
    "$script" --runs 2 "$@" >out 2>err </dev/null
    status=$?
    [ $status = "$wanted" ] && return
    fail "$what: status $status, not $wanted"
    cat out err
}

sh -n "$script" || fail "sh does not accept the script"
if command -v shellcheck >/dev/null; then
    shellcheck "$script" || fail "shellcheck"
else
    echo "shellcheck is not installed: script not linted"
fi

program() {
    printf 'def leaf(n):\n    return n + 1\n\nfor n in range(%d):\n    leaf(n)\n' "$1"
}
program 1000 >bench.py
echo 'calls>0' >rules
set -- --command bench.py --rules rules
expect 0 "first run" "$@"
[ -s perf.baseline ] || fail "no baseline was made"
[ ! -e profkit-reports/junit.xml ] || fail "a report of a run that compared nothing"
cp perf.baseline first.baseline
expect 0 "second run" "$@"
GITHUB_OUTPUT=$work/unclear expect 0 "times of two runs" --command bench.py --baseline times.baseline --update always --runs 2
GITHUB_OUTPUT=$work/unclear expect 0 "times of two runs again" --command bench.py --baseline times.baseline --runs 2
[ "$(grep '^verdict=' "$work/unclear" | tail -n 1)" = "verdict=$(sed -n '1s/:.*//p' "$work/out")" ] ||
    fail "the step says another verdict than the report"
cmp -s perf.baseline first.baseline || fail "the baseline changed, without --update"

program 1001 >bench.py
GITHUB_ACTIONS=true GITHUB_OUTPUT=$work/output GITHUB_STEP_SUMMARY=$work/summary \
    expect 1 "a call more" "$@" --update passed
grep -q '^::error ' out || fail "no annotation"
grep -q '^verdict=fail$' output || fail "no verdict among the outputs of the step"
grep -q 'calls' summary || fail "the summary of the job does not name the rule"
cmp -s perf.baseline first.baseline || fail "a slower program became the baseline"
for file in report.md report.json report.html annotations.txt junit.xml gitlab.json \
    profkit.sarif comment.md; do
    [ -s "profkit-reports/$file" ] || fail "no report $file"
done
[ "$(head -n 1 profkit-reports/comment.md)" = '<!-- profkit -->' ] || fail "comment has no mark"
expect 1 "a call more, on purpose" "$@" --update always
expect 0 "after --update always" "$@"

# Both sides in turn, by the user's own recorder; profiles that are there.
mkdir before
program 1000 >before/bench.py
own='"$PYTHON" -m cProfile -o "$PROFKIT_OUT" bench.py'
expect 1 "in turn" --recorder own --command "$own" --before before --rules rules
expect 0 "profiles" --profiles 'profkit-reports/before-*.profile' --baseline first.baseline \
    --rules rules --reports other

# Operands, folders and files with blanks.
printf 'import sys\nassert sys.argv[1:] == ["a  b", "*", "$HOME"]\n' >'my bench.py'
cp rules 'my rules'
set -- --command "'my bench.py' 'a  b' '*' '\$HOME'" --rules 'my rules' \
    --baseline 'my folder/my baseline' --reports 'my reports'
expect 0 "blanks, first run" "$@"
expect 0 "blanks, second run" "$@"
[ -s 'my reports/junit.xml' ] || fail "no report in a folder with a blank"
expect 2 "a command that fails" --command missing.py
grep -q 'recording failed: missing.py' err || fail "not said which command failed"
expect 2 "a program that ends with status 3" --command "-c 'raise SystemExit(3)'"
PYTHON=no-such-python expect 2 "no python" --command bench.py
grep -q 'no-such-python' err || fail "not said what is missing"
PROFKIT=no-such-profkit expect 2 "no profkit" --command bench.py
expect 2 "a recorder that writes nothing" --recorder own --command true
expect 2 "an unknown option" --what now
expect 2 "runs" --runs many --command bench.py
expect 2 "no file of rules" --command bench.py --rules missing

# What the templates hand over is what the script takes.
options=$("$script" --help | grep -oE '^  --[a-z-]+' | tr -d ' ' | cut -c3- | sort)
python3 - "$srcdir/ci" $options <<'END' || failed=1
import sys
try:
    import yaml
except ImportError:
    print("yaml is not installed for python3: templates not read")
    sys.exit(0)
folder, options = sys.argv[1], set(sys.argv[2:])
action = yaml.safe_load(open(folder + "/github/action.yml"))
inputs = set(action["inputs"])
step = next(s for s in action["runs"]["steps"] if s.get("id") == "check")
env = {k for k in step["env"] if k.startswith("PROFKIT_")}
names = {"PROFKIT_" + o.upper().replace("-", "_") for o in options}
bad = []
if len(options) < 8 or options != inputs - {"cache", "upload-sarif", "prefix", "install", "upload-reports"}:
    bad.append(f"inputs {sorted(inputs)} are not options {sorted(options)}")
if env != names:
    bad.append(f"the action sets {sorted(env ^ names)}")
for o in options:
    if "inputs." + o not in step["env"]["PROFKIT_" + o.upper().replace("-", "_")]:
        bad.append(f"the input {o} is not handed over")
job = yaml.safe_load(open(folder + "/gitlab/profkit.yml"))[".profkit"]
own = {"PROFKIT_PREFIX", "PROFKIT_INSTALL", "PROFKIT_SOURCE", "PROFKIT_CACHE_POLICY"}
if not set(job["variables"]) <= names | own:
    bad.append(f"variables that the script does not know: {sorted(job['variables'])}")
if set(job["artifacts"]["reports"]) != {"junit", "codequality"}:
    bad.append("reports of GitLab")
print("\n".join(bad), end="\n" if bad else "")
sys.exit(bool(bad))
END
exit $failed
