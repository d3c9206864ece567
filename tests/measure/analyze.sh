#!/bin/bash
# Every source file by the analyzers of gcc and clang. What they say is in analyze.known with the reason
# why it is wrong, or fails. Needs CFLAGS as the build has them; run in a build folder, by 'make analyze'.
#   tests/measure/analyze.sh SOURCES [FILE...]
here=$(cd "$(dirname "$0")" && pwd)
export sources=$1 CFLAGS
shift
work=$(mktemp -d) ticker=
export work=$work
trap '[ -z "$ticker" ] || kill "$ticker"; rm -rf "$work"' EXIT
[ $# != 0 ] || mapfile -t < <(cd "$sources" && find src tools -name '*.c' | sort)
[ $# != 0 ] || set -- "${MAPFILE[@]}"

# One file; a compiler that does not get to the end of it is a finding, too.
analyze() {
    local said=$work/${1//\//-}
    # shellcheck disable=SC2086
    ! command -v gcc >/dev/null || gcc $CFLAGS -O1 -fanalyzer -c "$sources/$1" -o /dev/null >"$said.gcc" 2>&1 ||
        echo "$sources/$1:1:1: warning: gcc failed" >>"$said.gcc"
    # shellcheck disable=SC2086
    ! command -v clang >/dev/null || clang $CFLAGS --analyze -Xclang -analyzer-output=text "$sources/$1" \
        -o /dev/null >"$said.clang" 2>&1 || echo "$sources/$1:1:1: warning: clang failed" >>"$said.clang"
    : >"$said.done"
}
export -f analyze
while sleep 30 >/dev/null; do echo "$(find "$work" -name '*.done' | wc -l) of $# files"; done &
ticker=$!
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -I {} bash -c 'analyze {}'

# Places move, and paths that lead there; the file, the words and the kind of a finding stay. The same
# words twice in a file are two findings.
cat "$work"/*.gcc "$work"/*.clang 2>/dev/null | grep 'warning:' | sort -u |
    sed -E "s|^$sources/||; s|^([^:]*):[0-9:]*|\1:|; s|: *warning: |: |" | sort >"$work/found"
grep -v -e '^#' -e '^$' "$here/analyze.known" | sort >"$work/known"
comm -23 "$work/found" "$work/known" >"$work/new"
[ ! -s "$work/new" ] || {
    echo "not in tests/measure/analyze.known:"
    while read -r line; do
        grep -hF -- "${line#*: }" "$work"/*.gcc "$work"/*.clang | grep -E "^($sources/)?${line%%:*}:" | sort -u
    done < <(sort -u "$work/new")
}
for compiler in gcc clang; do
    command -v $compiler >/dev/null || echo "not tried: there is no $compiler"
done
echo "$# files, $(wc -l <"$work/found") findings, $(wc -l <"$work/new") that are not known"
[ ! -s "$work/new" ]
