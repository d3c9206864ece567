cd "$TESTDATA/example" || exit
status 2 profkit info --focus x before.prof
profkit hotspots --focus no_such_function -o /dev/null before.prof
profkit hotspots -q --focus no_such_function -o /dev/null before.prof
profkit hotspots --focus '(' before.prof
