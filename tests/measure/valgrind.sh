#!/bin/bash
# The unit tests and the tests of the command line under valgrind: a test fails if valgrind
# reports an error, or memory that is unreachable at the end.
#   tests/measure/valgrind.sh [FOLDER/check_NAME | COMMAND | COMMAND/CASE.sh]...     all, or these
# Needs PROFKIT, the program, and the unit tests in the folder; JOBS are run at the same time.
here=$(cd "$(dirname "$0")" && pwd)
command -v valgrind >/dev/null || {
    echo "skipped: no valgrind"
    exit 77
}
PROFKIT=$(realpath "${PROFKIT:?}")
export PROFKIT TESTDATA="${TESTDATA:-$here/../../testdata}" CK_FORK=no CK_VERBOSITY=minimal
work=$(mktemp -d) ticker=
trap '[ -z "$ticker" ] || kill "$ticker"; rm -rf "$work"' EXIT
mkdir "$work/said" "$work/done" "$work/bad"

# What every program is run by. Each has a file for what valgrind says of it; processes that it forks
# have none, they end without giving memory back.
cat >"$work/memcheck" <<END
#!/bin/bash
said=\$(mktemp '$work/said/XXXXXX')
printf '%s\n' "\$*" >"\$said.command"
exec valgrind -q --error-exitcode=99 --child-silent-after-fork=yes --log-file="\$said" \\
    --num-callers=30 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \\
    --suppressions='$here/valgrind.supp' \${FORKS:+--child-silent-after-fork=no --leak-check=no} "\$@"
END
printf '#!/bin/sh\nexec "%s/memcheck" "%s" "$@"\n' "$work" "$PROFKIT" >"$work/profkit"
cat >"$work/one" <<END
#!/bin/bash
# One unit test or case; the end of its output is kept when it fails.
name=\${1//\//-}
case \$1 in
# Its tests are processes of their own.
*/check_output) FORKS=yes "$work/memcheck" "$(dirname "$PROFKIT")/tests/\$1" ;;
*/check_*) "$work/memcheck" "$(dirname "$PROFKIT")/tests/\$1" ;;
*) PROFKIT=$work/profkit "$here/../cli/run.sh" "\$1" ;;
esac >"$work/\$name.out" 2>&1 </dev/null || mv "$work/\$name.out" "$work/bad/\$name"
: >"$work/done/\$name"
END
chmod +x "$work/memcheck" "$work/profkit" "$work/one"

# Not those that take memory or system calls from the process, and so from valgrind.
unit_tests() {
    (cd "$(dirname "$PROFKIT")/tests" && find . -name 'check_*' -type f -executable -printf '%P\n') |
        grep -vx 'base/check_sandbox' | sort
}
cases() {
    (cd "$here/../cli" && find "${@:-.}" -mindepth "$(($# ? 0 : 2))" -name '*.sh') | sed 's/^\.\///' |
        grep -vE '^options/(memory|sandbox)' | sort
}
units=() commands=()
for name in "$@"; do
    case $name in
    */check_*) units+=("$name") ;;
    *) commands+=("$name") ;;
    esac
done
{
    if [ $# = 0 ]; then
        unit_tests
        cases
    else
        [ ${#units[@]} = 0 ] || printf '%s\n' "${units[@]}"
        [ ${#commands[@]} = 0 ] || cases "${commands[@]}"
    fi
} >"$work/list"
count=$(wc -l <"$work/list")
progress() {
    echo "$(find "$work/done" -type f | wc -l) of $count tests, $(find "$work/bad" -type f | wc -l) failed"
}
while sleep 30 >/dev/null; do progress; done &
ticker=$!
xargs -P "${JOBS:-$(nproc)}" -I {} "$work/one" {} <"$work/list"

for bad in "$work"/bad/*; do
    [ ! -f "$bad" ] || {
        echo "failed: $(basename "$bad")"
        tail -n 30 "$bad"
    }
done
errors=0
while read -r said; do
    errors=$((errors + 1))
    cat "$said.command" "$said"
done < <(find "$work/said" -name '??????' -size +0)
programs=$(find "$work/said" -name '*.command' | wc -l)
failed=$(find "$work/bad" -type f | wc -l)
echo "$count tests, $failed failed; $programs programs under valgrind, errors in $errors"
[ "$failed" = 0 ] && [ "$errors" = 0 ] && [ "$programs" -gt 0 ]
