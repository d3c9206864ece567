cd "$TESTDATA/async-profiler-html" || exit
profkit tree samples.html
profkit tree version2.html
profkit tree -m delta difference.html
profkit tree -f async-profiler-html bad/no-name.html
