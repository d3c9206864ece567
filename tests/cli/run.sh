#!/bin/bash
# Runs the command-line tests: see README in this folder.
#   run.sh [--set-exact] [--half 0|1] [COMMAND | COMMAND/CASE]...
# --half runs every second case, from the first or the second one on.
# Prints TAP, so that make check counts every case. Needs PROFKIT, the program;
# TESTDATA, the fixtures, is found beside this folder unless it is set.
set -u
export LC_ALL=C TERM=dumb
unset NO_COLOR COLUMNS PAGER
cases=$(cd "$(dirname "$0")" && pwd)
: "${PROFKIT:=$cases/../../build/profkit}" "${TESTDATA:=$cases/../../testdata}"
PROFKIT=$(realpath "$PROFKIT") TESTDATA=$(realpath "$TESTDATA")
export PROFKIT TESTDATA
# The interpreter itself: python3 may be a script (pyenv) that starts forty processes. Cases use the standard library only.
if PYTHON=$(python3 -ISc 'import sys; print(sys.executable)' 2>/dev/null); then
    export PYTHON
    python3() { "$PYTHON" -S "$@"; }
    export -f python3
fi
profkit() { "$PROFKIT" "$@"; }
# status N COMMAND...: a command that fails with status N.
status() {
    local want=$1 got=0
    shift
    "$@" || got=$?
    [ $got = "$want" ] || echo "status $got instead of $want: $*" >&2
    [ $got = "$want" ]
}
# in_terminal COLUMNS ARGUMENT...: what profkit prints to a terminal, where lines end with a carriage
# return, too; needs python3.
in_terminal() {
    python3 -c '
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if not pid:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 24, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
text = b""
while True:
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    text += more
sys.stdout.buffer.write(text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))' "$1" "$PROFKIT" "${@:2}"
}
# sql DATABASE STATEMENTS: changes a database, such as a store or a part; needs python3.
sql() {
    python3 -c 'import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.executescript(sys.argv[2])
database.close()' "$@"
}
export -f profkit status in_terminal sql

set_exact=no
if [ "${1-}" = --set-exact ]; then
    set_exact=yes
    shift
fi
step=1 first=0
if [ "${1-}" = --half ]; then
    step=2 first=$2
    shift 2
fi
if [ ! -x "$PROFKIT" ]; then
    echo "Bail out! PROFKIT=$PROFKIT is not a program"
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every line of file $2 fits the pattern on the same line of $1; a pattern "..." stands for
# any number of lines.
matches_glob() {
    local -a patterns lines
    mapfile -t patterns <"$1"
    mapfile -t lines <"$2"
    local p=0 l=0
    while ((p < ${#patterns[@]})); do
        if [ "${patterns[p]}" = ... ]; then
            ((p++))
            ((p == ${#patterns[@]})) && return 0
            # shellcheck disable=SC2053
            while ((l < ${#lines[@]})) && [[ ${lines[l]} != ${patterns[p]} ]]; do
                ((l++))
            done
        fi
        ((l < ${#lines[@]})) || return 1
        # shellcheck disable=SC2053
        [[ ${lines[l]} == ${patterns[p]} ]] || return 1
        ((p++))
        ((l++))
    done
    ((l == ${#lines[@]}))
}

# Whether text $1 with TESTDATA for the path of the fixtures is text $2: without a process, and no if one of them has a
# NUL, where read stops.
same_text() {
    local got want
    IFS= read -r -d '' got <"$1" && return 1
    IFS= read -r -d '' want <"$2" && return 1
    [ "${got//"$TESTDATA"/TESTDATA}" = "$want" ]
}

# Compares what was printed ($2) to what is expected of stream $3 of case $1.
check_stream() {
    local case=$1 got=$2 stream=$3 want=/dev/null
    [ -e "$case.$stream.ignore" ] && return 0
    [ -e "$case.$stream.exact" ] && want=$case.$stream.exact
    [ $set_exact = no ] && [ ! -e "$case.$stream.glob" ] && same_text "$got" "$want" && return 0
    [ ! -s "$got" ] || sed -i "s|$TESTDATA|TESTDATA|g" "$got"
    if [ -e "$case.$stream.glob" ]; then
        matches_glob "$case.$stream.glob" "$got" && return 0
        echo "$stream does not match $(basename "$case").$stream.glob; it was:"
        cat "$got"
        return 1
    fi
    if [ $set_exact = yes ]; then
        rm -f "$case.$stream.exact"
        [ -s "$got" ] && cp "$got" "$case.$stream.exact"
        return 0
    fi
    diff -u --label "expected $stream" "$want" --label "$stream" "$got"
}

check_exit() {
    local case=$1 got=$2 want=0
    if [ $set_exact = yes ]; then
        rm -f "$case.exit"
        [ "$got" = 0 ] || echo "$got" >"$case.exit"
        return 0
    fi
    [ -e "$case.exit" ] && want=$(<"$case.exit")
    [ "$got" = "$want" ] && return 0
    echo "exit status $got instead of $want"
    return 1
}

run_case() {
    local case=$1 status failed=0
    (cd "$work/$2/here" && bash -eo pipefail "$case.sh") >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    [ $status != 77 ] || return 77
    check_stream "$case" "$work/stdout" stdout || failed=1
    check_stream "$case" "$work/stderr" stderr || failed=1
    check_exit "$case" $status || failed=1
    return $failed
}

cd "$cases" || exit 1
list=()
for what in "${@:-.}"; do
    if [ -d "$what" ]; then
        mapfile -t found < <(find "$what" -mindepth 1 -name '*.sh' ! -path ./run.sh | sort)
    else
        found=("${what%.sh}.sh")
    fi
    list+=("${found[@]}")
done
mapfile -t list < <(printf '%s\n' "${list[@]}" | sed -n "$((first + 1))~${step}p")
echo "1..${#list[@]}"
eval "mkdir -p \"\$work\"/{1..${#list[@]}}/here"
number=0 failures=0
for script in "${list[@]}"; do
    case=${script%.sh}
    case=${case#./}
    ((number++))
    run_case "$cases/$case" $number >"$work/report" 2>&1
    status=$?
    if [ $status = 0 ]; then
        echo "ok $number - $case"
    elif [ $status = 77 ]; then
        echo "ok $number - $case # SKIP $(head -n 1 "$work/stdout")"
    else
        ((failures++))
        echo "not ok $number - $case"
        sed 's/^/#   /' "$work/report"
    fi
done
echo "# $((number - failures)) passed, $failures failed"
[ $failures = 0 ]
