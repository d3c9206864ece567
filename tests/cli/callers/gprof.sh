# The call graph of gprof: each call once, cycles and recursion, functions of one name; times by line.
cd "$TESTDATA/gprof" || exit
profkit callers -n 0 graph.txt
profkit callers -n 0 odd.txt
profkit hotspots --format csv bsd.txt
profkit lines lines.txt
