cd "$TESTDATA/example" || exit
profkit info --run 2 before.prof after.prof | grep file
profkit info --run before.prof before.prof after.prof | grep file
status 2 profkit info --run 3 before.prof after.prof
profkit info --run '' before.prof after.prof
