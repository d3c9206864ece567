#!/bin/bash
# Runs the analyzers of gcc and clang on every source file and prints what they find. Run in a build
# folder by 'make analyze', which sets CFLAGS.
#   tests/measure/analyze.sh SOURCES [FILE...]
# Most findings in this code are wrong: they are about memory that may be NULL, which pk_malloc and
# PK_GROW never return. With SINCE=COMMIT only the files that differ from that commit are analyzed, in
# both versions, and only what is new is printed; the status is then 1 if there is anything new.
sources=$1
shift
work=$(mktemp -d) ticker=
trap '[ -z "$ticker" ] || kill "$ticker"; rm -rf "$work"' EXIT
for compiler in gcc clang; do
    command -v $compiler >/dev/null || echo "not tried: there is no $compiler"
done

# Prints the findings in one file; a compiler that fails is a finding, too.
analyze() {
    cd "$1" || exit
    # shellcheck disable=SC2086
    if command -v gcc >/dev/null; then
        gcc -I"$build" -Isrc -I. $CFLAGS -O1 -fanalyzer -c "$2" -o /dev/null 2>&1 || echo "$2:1:1: warning: gcc failed"
    fi
    # shellcheck disable=SC2086
    if command -v clang >/dev/null; then
        clang -I"$build" -Isrc -I. $CFLAGS --analyze -Xclang -analyzer-output=text "$2" -o /dev/null 2>&1 ||
            echo "$2:1:1: warning: clang failed"
    fi | cat
}
export -f analyze
export CFLAGS build=$PWD work

# findings FOLDER FILE...: FILE:LINE:COLUMN: warning: TEXT, each once.
findings() {
    local folder=$1
    shift
    printf '%s\n' "$@" | (cd "$folder" && xargs -r ls 2>/dev/null) |
        xargs -r -P "${JOBS:-$(nproc)}" -I {} bash -c 'analyze "$0" {} >"$(mktemp "$work/XXXXXX.said")"; echo >>"$work/done"' "$folder"
    cat "$work"/*.said 2>/dev/null | grep 'warning:' | sort -u
    rm -f "$work"/*.said
}
# Lines move: the file, the words and the kind of a finding identify it.
without_places() { sed -E 's|^([^:]*):[0-9:]* *|\1: |'; }

[ $# != 0 ] || mapfile -t files < <(cd "$sources" && find src tools -name '*.c' | sort)
[ -z "${SINCE-}" ] || mapfile -t files < <(cd "$sources" && git diff --name-only --diff-filter=d "$SINCE" -- src tools | grep '\.c$')
[ $# = 0 ] || files=("$@")
while sleep 30 >/dev/null; do echo "$(grep -c '' "$work/done") files" >&2; done 2>/dev/null &
ticker=$!
findings "$sources" "${files[@]}" >"$work/found"
if [ -z "${SINCE-}" ]; then
    cat "$work/found"
    echo "${#files[@]} files, $(grep -c '' "$work/found") findings"
    exit 0
fi
mkdir "$work/before"
git -C "$sources" archive "$SINCE" | tar xf - -C "$work/before"
findings "$work/before" "${files[@]}" | without_places | sort >"$work/known"
without_places <"$work/found" | sort | comm -23 - "$work/known" | sort -u >"$work/new"
while IFS= read -r line; do
    awk -v file="${line%%:*}:" -v text="${line#*: }" 'index($0, file) == 1 && index($0, text)' "$work/found"
done <"$work/new"
echo "${#files[@]} files, $(grep -c '' "$work/found") findings, $(grep -c '' "$work/new") of them new"
[ ! -s "$work/new" ]
