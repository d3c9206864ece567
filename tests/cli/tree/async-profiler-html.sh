cd "$TESTDATA/async-profiler-html" || exit
profkit tree samples.html
profkit tree version2.html
profkit tree -m delta difference.html
profkit tree difference.html | head -n 1
profkit tree -f async-profiler-html bad/no-name.html
