#!/bin/bash
# A format is added by touching four places: its reader's file or folder, a line in readers.def, a
# line in local.am, and a folder in testdata. Nothing else in src and tools names it.
cd "$srcdir" || exit 1
failed=0
fail() {
    echo "$*"
    failed=1
}

# The source list of the folder of a file.
list_of() {
    local below=${1#*/}
    list=${1%%/*}/${below%%/*}/local.am
    [ "${1%%/*}" != tools ] || list=tools/local.am
}

mapfile -t sources < <(find src tools -name '*.[ch]' ! -name assets.c)
mapfile -t code < <(printf '%s\n' "${sources[@]}" | grep '\.c$')
mapfile -t names < <(sed -n 's/^PK_READER(\(.*\))$/\1/p' src/readers/readers.def)
any=$(IFS='|' && echo "${names[*]}")
definitions=$(grep -oHE "^const struct pk_reader pk_reader_($any) = \{" "${sources[@]}")
mentions=$(grep -oHE "\"($any)\"|\bpk_reader_($any)\b" "${code[@]}" | sort -u)
declare -A listed
while read -r line; do
    listed[$line]=yes
done < <(grep -oHE '\b(src|tools)/[A-Za-z0-9_./-]*\.[ch]\b' src/*/local.am tools/local.am)

for name in "${names[@]}"; do
    file=$(sed -n "s/:const struct pk_reader pk_reader_$name = {$//p" <<<"$definitions")
    [ -f "$file" ] || fail "$name: no file defines pk_reader_$name"
    list_of "$file"
    [ "${listed[$list:$file]-}" ] || fail "$name: $file is not in $list"
    [ -f "testdata/${name//_/-}/SOURCE" ] || fail "$name: no testdata/${name//_/-}/SOURCE"
    case $file in
    src/readers/*)
        # Its own files are NAME.c or NAME/*; the writer of the format has that name too.
        # like.c and diff/like.c imitate other tools; the reader of pstats knows which tools write such files.
        # lines.c imitates line_profiler and memory_profiler; mprof is a program of the latter.
        # time is the name of a metric, too.
        text="(\"$name\"|pk_reader_$name)"
        [ "$name" = time ] && text=pk_reader_$name
        others=$(sed -nE "s/:$text$//p" <<<"$mentions" | sort -u |
            grep -vE "^$file$|/$name(_[a-z_]*|/[a-z_]*)?\.c$|^tools/(like/like|folded_diff|commands/lines|commands/diff/like)\.c$|/mprof\.c$|/pstats[_/][a-z_]*\.c$")
        ;;
    *) # The store: more than a format, in a folder of its own.
        others=$(sed -n "s/:pk_reader_$name$//p" <<<"$mentions" | grep -v "^${file%/*}/")
        ;;
    esac
    for other in $others; do
        fail "$name: named in $other"
    done
done
# A file that is in no list is missing from the archive that make dist packs.
for file in "${sources[@]}"; do
    list_of "$file"
    [ "${listed[$list:$file]-}" ] || fail "$file is not in $list"
done
for list in src/readers/readers.def src/writers/writers.def tools/commands.def; do
    LC_ALL=C sort -c "$list" || failed=1
done
exit $failed
