#!/bin/bash
# The tests of the command line under valgrind: what it says fails a test.
#   tests/valgrind.sh [COMMAND | COMMAND/CASE]...     all, or these
# Needs PROFKIT, the program; JOBS are run at the same time (2).
here=$(cd "$(dirname "$0")" && pwd)
command -v valgrind >/dev/null || {
    echo "skipped: no valgrind"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/profkit" <<END
#!/bin/sh
exec valgrind -q --error-exitcode=99 --child-silent-after-fork=yes --leak-check=no \\
    --suppressions='$here/valgrind.supp' '$(realpath "${PROFKIT:?}")' "\$@"
END
chmod +x "$work/profkit"
# Not those that take memory or system calls from the process, and so from valgrind.
cd "$here/cli" && find "${@:-.}" -mindepth "$(($# ? 0 : 2))" -name '*.sh' |
    grep -vE '^(\./)?options/(memory|sandbox)' | sort |
    PROFKIT=$work/profkit xargs -P "${JOBS:-2}" -I {} sh -c "./run.sh {} >\"\$(mktemp '$work/XXXXXX.tap')\""
grep -h -A20 '^not ok' "$work"/*.tap
awk '/^ok/ { n++ } /^not ok/ { bad++ } END { print n + 0 " passed, " bad + 0 " failed under valgrind"; exit bad > 0 }' "$work"/*.tap
