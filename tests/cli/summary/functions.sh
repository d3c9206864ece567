# The first line counts the functions that `hotspots` lists. A file may name further ones, such as a caller without a row of
# its own, a function whose lines never ran, or one below no sample: `info` counts both.
for file in gprof/odd.txt pstats/ghost-caller.prof line-profiler/kernprof.lprof speedscope/lenient.speedscope.json; do
    summary=$(profkit "$TESTDATA/$file" 2>&1 | grep -o '[0-9]* functions\?,')
    rows=$(profkit hotspots -n 0 --format csv "$TESTDATA/$file" 2>&1 | grep -cv '^profkit:\|^function,')
    echo "$file: $summary $rows rows"
    profkit info "$TESTDATA/$file" 2>&1 | grep -o '^functions.*\|, [0-9]* functions\?$'
done
