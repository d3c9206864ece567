#!/bin/sh
# A folder includes only headers of the folders that ARCHITECTURE.md puts above it.
cd "${srcdir:-.}" || exit 1
failed=0

# allow FOLDER LAYER...: which first parts of #include "LAYER/..." its files may have.
allow() {
    folder=$1
    shift
    pattern=$(echo "$*" | tr ' ' '|')
    grep -Hn '^#[[:space:]]*include "' "$folder"/*.c "$folder"/*.h 2>/dev/null |
        grep -Ev "include \"(($pattern)/[a-z0-9_]+\.(h|def)|config\.h)\"" && failed=1
    return 0
}

allow src/base base
allow src/model base model
allow src/analysis base model analysis
allow src/readers base model readers
allow src/render base model analysis render
allow src/writers base model analysis render writers
allow src/store base model analysis readers render writers store

# The program may include all of them, and the library nothing of the program.
for header in $(cd tools && ls -- *.h *.def); do
    grep -Hn "include \".*$header\"" src/*/*.[ch] | grep -v "include \"[a-z]*/$header\"" && failed=1
done
# What is included is there: a header that was moved is not found by another path.
for header in $(grep -ho '^#[[:space:]]*include "[a-z]*/[a-z0-9_]*\.[a-z]*"' src/*/*.[ch] tools/*.[ch] |
    grep -o '"[^"]*"' | tr -d '"' | sort -u); do
    [ -e "src/$header" ] || {
        echo "$header is included and is not in src"
        failed=1
    }
done
[ $failed = 0 ] || echo "see ARCHITECTURE.md for which folder may include which"
exit $failed
