#!/bin/sh
# A folder of src includes only headers of the folders that ARCHITECTURE.md puts above it,
# and no folder has more than 25 files directly in it.
cd "${srcdir:-.}" || exit 1
failed=0

# allow FOLDER LAYER...: which first parts of #include "LAYER/..." its files may have.
allow() {
    folder=$1
    shift
    pattern=$(echo "$*" | tr ' ' '|')
    grep -rHn --include='*.[ch]' '^#[[:space:]]*include "' "$folder" |
        grep -Ev "include \"(($pattern)/[a-z0-9_/]+\.(h|def)|config\.h)\"" && failed=1
    return 0
}

# The program includes its own headers as "tools/...", which the library cannot.
allow src/base base
allow src/model base model
allow src/analysis base model analysis
allow src/readers base model readers
allow src/render base model analysis render
allow src/writers base model analysis render writers
allow src/store base model analysis readers render writers store
allow tools base model analysis readers render writers store tools

# A header that was moved is not found by another path.
for header in $(grep -rho --include='*.[ch]' '^#[[:space:]]*include "[a-z]*/[a-z0-9_/]*\.[a-z]*"' src tools |
    grep -o '"[^"]*"' | tr -d '"' | sort -u); do
    [ -e "src/$header" ] || [ -e "$header" ] || {
        echo "$header is included and does not exist"
        failed=1
    }
done

for folder in $(find src -type d); do
    count=$(find "$folder" -maxdepth 1 -type f -name '*.[a-z]*' ! -name '*.[oa]' | wc -l)
    if [ "$count" -gt 25 ]; then
        echo "$folder has $count files: at most 25; make folders within it"
        failed=1
    fi
done
[ $failed = 0 ] || echo "see ARCHITECTURE.md for which folder may include which"
exit $failed
