#!/bin/bash
# A format is added by touching four places: its reader's file, a line in readers.def, a
# line in local.am, and a folder in testdata. Nothing else in src and tools names it.
cd "$srcdir" || exit 1
failed=0
fail() {
    echo "$*"
    failed=1
}

for name in $(sed -n 's/^PK_READER(\(.*\))$/\1/p' src/readers/readers.def); do
    file=$(grep -l "^const struct pk_reader pk_reader_$name = {" src/*/*.c)
    [ -f "$file" ] || fail "$name: no file defines pk_reader_$name"
    grep -q "${file:-none}" "${file%/*}/local.am" || fail "$name: $file is not in local.am"
    [ -f "testdata/${name//_/-}/SOURCE" ] || fail "$name: no testdata/${name//_/-}/SOURCE"
    if [ "${file%/*}" = src/readers ]; then
        # Its own files begin with its name; the writer of the format has that name too.
        # like.c imitates the tool python -m pstats; pstats_rows.c knows who writes pstats files.
        others=$(grep -lE "\"$name\"|\bpk_reader_$name\b" src/*/*.c tools/*.c |
            grep -vE "/${name}[a-z_]*\.c$|^tools/like\.c$|^src/readers/pstats_rows\.c$")
    else
        # The store: more than a format, in a folder of its own.
        others=$(grep -l "\bpk_reader_$name\b" src/*/*.c tools/*.c | grep -v "^${file%/*}/")
    fi
    for other in $others; do
        fail "$name: named in $other"
    done
done
# What no list names is missing from the archive that make dist packs.
for file in src/*/*.[ch] tools/*.[ch]; do
    grep -q "\b$file\b" "${file%/*}/local.am" || fail "$file is not in ${file%/*}/local.am"
done
for list in src/readers/readers.def src/writers/writers.def tools/commands.def; do
    LC_ALL=C sort -c "$list" || failed=1
done
exit $failed
