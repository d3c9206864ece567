#!/bin/bash
# A format is added by touching four places: its reader's file or folder, a line in readers.def, a
# line in local.am, and a folder in testdata. Nothing else in src and tools names it.
cd "$srcdir" || exit 1
failed=0
fail() {
    echo "$*"
    failed=1
}

mapfile -t sources < <(find src tools -name '*.[ch]' ! -name assets.c)
mapfile -t code < <(printf '%s\n' "${sources[@]}" | grep '\.c$')
for name in $(sed -n 's/^PK_READER(\(.*\))$/\1/p' src/readers/readers.def); do
    file=$(grep -l "^const struct pk_reader pk_reader_$name = {" "${sources[@]}")
    [ -f "$file" ] || fail "$name: no file defines pk_reader_$name"
    list=$(echo "$file" | cut -d/ -f1,2)/local.am
    grep -q "${file:-none}" "$list" || fail "$name: $file is not in $list"
    [ -f "testdata/${name//_/-}/SOURCE" ] || fail "$name: no testdata/${name//_/-}/SOURCE"
    case $file in
    src/readers/*)
        # Its own files are NAME.c or NAME/*; the writer of the format has that name too.
        # like.c and diff/like.c imitate other tools; the reader of pstats knows which tools write such files.
        # lines.c imitates line_profiler and memory_profiler; mprof is a program of the latter.
        # time is the name of a metric, too.
        text=\"$name\"
        [ "$name" = time ] && text='^PK_READER'
        others=$(grep -lE "$text|\bpk_reader_$name\b" "${code[@]}" |
            grep -vE "^$file$|/$name(_[a-z_]*|/[a-z_]*)?\.c$|^tools/(like/like|folded_diff|commands/lines|commands/diff/like)\.c$|/mprof\.c$|/pstats[_/][a-z_]*\.c$")
        ;;
    *) # The store: more than a format, in a folder of its own.
        others=$(grep -l "\bpk_reader_$name\b" "${code[@]}" | grep -v "^${file%/*}/")
        ;;
    esac
    for other in $others; do
        fail "$name: named in $other"
    done
done
# A file that is in no list is missing from the archive that make dist packs.
for file in "${sources[@]}"; do
    list=$(echo "$file" | cut -d/ -f1,2)/local.am
    [ "${file%%/*}" = tools ] && list=tools/local.am
    grep -q "\b$file\b" "$list" || fail "$file is not in $list"
done
for list in src/readers/readers.def src/writers/writers.def tools/commands.def; do
    LC_ALL=C sort -c "$list" || failed=1
done
exit $failed
