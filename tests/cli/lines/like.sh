# The text of line_profiler: all versions, with and without the source; files of two versions added.
cd "$TESTDATA/line-profiler" || exit
profkit lines --like line_profiler --source ../example kernprof.lprof
echo == -z -m -t -u
profkit lines --like line_profiler -z --summarize --sort total --unit 1e-3 protocol5.lprof
for version in 5.0 4.2 4.0 3.0; do
    echo == $version
    profkit lines --like line_profiler-$version -z protocol5.lprof
done
echo == added
profkit lines --like line_profiler --summarize version5.lprof windows.lprof | tail -5
status 2 profkit lines --like line_profiler "$TESTDATA/example/orders.raw.txt"
status 2 profkit lines --like line_profiler --unit parsec protocol5.lprof
status 2 profkit lines --like line_profiler --sort name protocol5.lprof
status 2 profkit lines --like line_profiler --format csv protocol5.lprof
status 2 profkit lines --summarize protocol5.lprof
cmp <(profkit lines --like line_profiler -z --summarize -t -u 1e-3 protocol5.lprof) \
    <(profkit lines --like line_profiler -z --summarize --sort total --unit 1e-3 protocol5.lprof)
status 2 profkit lines --like line_profiler -m time protocol5.lprof
