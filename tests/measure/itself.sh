#!/bin/bash
# profkit check on profkit, by the instructions that callgrind counts: a slowdown that is put into
# profkit is found, in the right file.
set -u
export PROFKIT_HASH_SEED=0 # the same probes in every run
srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
profkit=$(realpath "${PROFKIT:-./profkit}")
skip() {
    echo "skipped: $*"
    exit 77
}
command -v valgrind >/dev/null || skip "valgrind is not installed"
command -v python3 >/dev/null || skip "python3 is not installed"
[ -z "${SANITIZE-}" ] || skip "sanitizers and valgrind do not go together"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
builddir=$PWD
cd "$work" || exit 99

# What the machine code depends on: compiler and optimisation.
version=$(${CC:-cc} -dumpfullversion 2>/dev/null || ${CC:-cc} -dumpversion)
made_by="$version $(${CC:-cc} -dumpmachine) $(grep -oE -- '-O[0-9a-z]*' <<<"${COMPILE:--O2}" | tail -n 1)"

# count PROGRAM OUT: a run of it on the stacks below. What clang writes for debuggers, some versions
# of valgrind give up on.
count() {
    "$1" hotspots -j 1 x.folded >/dev/null || exit 99
    valgrind -q --tool=callgrind --callgrind-out-file=out "$1" hotspots -j 1 x.folded >/dev/null ||
        skip "valgrind cannot run $1"
    python3 "$srcdir/tests/measure/callgrind.py" "${1##*/}" "$made_by" out >"$2"
}

awk 'BEGIN { for (i = 0; i < 4000; i++) {
    n = i * 7919 % 1000
    printf "main;run;step_%d;parse_%d;leaf_%d %d\n", n % 10, n % 100, n, i % 9 + 1
} }' >x.folded
count "$profkit" now.baseline
# The same program with a loop in what reads the lines of files.
[ -n "${COMPILE-}" ] || skip "COMPILE, how to call the compiler, is not set"
failed=0
mkdir -p slow/src/readers
sed 's/++\*number;/& for (volatile int slow = 0; slow < 40; slow++);/' \
    "$srcdir/src/readers/lines.c" >slow/src/readers/lines.c
cmp -s "$srcdir/src/readers/lines.c" slow/src/readers/lines.c && failed=1
(cd slow && $COMPILE -I"$builddir" -I"$srcdir/src" -I"$srcdir/tools" -o profkit \
    "$builddir/tools/profkit.o" src/readers/lines.c "$builddir/libcommands.a" \
    "$builddir/libprofkit.a" $LINK) || exit 99
count slow/profkit slow.baseline
"$profkit" check --baseline now.baseline slow.baseline --fail 'total>5%' --fail 'self>20%,2000' \
    --report github >slow.txt
status=$?
cat slow.txt
if [ $status != 1 ] || ! grep -q '^::error file=src/readers/lines.c,line=[1-9]' slow.txt; then
    echo "the slowdown was not found: status $status"
    failed=1
fi
exit $failed
