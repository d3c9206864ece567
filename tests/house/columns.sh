#!/bin/bash
# A column is added with a line in profile.h and a line in schema.c: here to every table, in a copy, of which columns.c then asks
# whether the column is saved, loaded, dumped, copied, merged, joined and selected. Tables of parts are not copied: part.h says what
# they keep.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=$(cd "$srcdir" && pwd)
build=$PWD
cp -r "$top/src" "$work"
cd "$work"
tables=$(sed -n 's/^struct pk_\(.*\)_table {.*/\1/p' src/model/profile.h | grep -vE '^(string|member|member_total|spread|bucket|gpu_step|collective|worker)$')
for table in $tables; do
    sed -i "/^struct pk_${table}_table {/,/count;/ s/uint32_t count;/&\n\tuint32_t *extra;/" src/model/profile.h
    sed -i "/pk_column ${table}_columns\[\] = {/ s/\$/\n\tU32($table, extra, \"added\", OPTIONAL),/" src/model/schema.c
done
added=$(echo "$tables" | wc -l)
for file in src/model/profile.h src/model/schema.c; do
    lines=$(diff "$top/$file" $file | grep -c '^>') || true
    [ "$lines" = "$added" ] || { echo "$lines lines in $file for $added columns"; exit 1; }
done
find src/base src/model src/store -name '*.c' ! -name query.c |
    xargs -P "$(nproc)" -I{} sh -c "$COMPILE -O0 -w -Isrc -I$build -c {} -o \$(echo {} | tr / _).o"
$COMPILE -Isrc -I"$top" -I"$build" -o columns "$top/tests/house/columns.c" ./*.o $LINK
./columns
[ "$(grep -c '^[a-z_]* [0-9].* extra' columns.dump)" = "$added" ] || { cat columns.dump; exit 1; }
echo "$added columns"
