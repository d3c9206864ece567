# Time that overlapping samples lose is told, however little it is.
profkit convert "$TESTDATA/perf-script/crlf.perf" --to chrome -o /dev/null
profkit convert "$TESTDATA/speedscope/fractions.speedscope.json" --to chrome -o /dev/null
