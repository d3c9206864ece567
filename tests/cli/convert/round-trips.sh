# The parts that a format keeps are the same after writing and reading.
cd "$TESTDATA/example" || exit
here=$OLDPWD
same() { # COMMAND... FILE FILE: both print the same, of so many lines
    "$PROFKIT" "${@:1:$#-2}" "${@: -2:1}" >"$here/first"
    "$PROFKIT" "${@:1:$#-2}" "${@: -1:1}" | cmp "$here/first" -
    echo "$(wc -l <"$here/first") lines: $*" | sed "s|$here|.|"
}
profkit convert before.prof "$here/a.prof"
same hotspots --format csv before.prof "$here/a.prof"
same callers . --format csv before.prof "$here/a.prof"
profkit convert before.prof "$here/a.db"
same hotspots --format csv before.prof "$here/a.db"
same callers . --format csv before.prof "$here/a.db"
profkit convert orders.folded "$here/b.db"
same tree --format csv orders.folded "$here/b.db"
profkit convert "$here/b.db" "$here/b.folded"
same tree --format csv orders.folded "$here/b.folded"
