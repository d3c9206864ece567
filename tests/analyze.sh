#!/bin/sh
# Every source file by the analyzers of gcc and clang; what they say is read by people, see
# docs/coverage.md. Needs CFLAGS as the build has them; run in a build folder, by 'make analyze'.
#   tests/analyze.sh SOURCES [FILE...]
sources=$1
shift
[ $# != 0 ] || set -- $(cd "$sources" && find src tools -name '*.c' | sort)
for file in "$@"; do
    printf '%s\n' "$file"
done | xargs -P "${JOBS:-2}" -I {} sh -c "
    if command -v gcc >/dev/null; then gcc $CFLAGS -O1 -fanalyzer -c '$sources/{}' -o /dev/null 2>&1; fi
    if command -v clang >/dev/null; then clang $CFLAGS --analyze -Xclang -analyzer-output=text '$sources/{}' -o /dev/null 2>&1; fi" |
    grep 'warning:' | sort -u
