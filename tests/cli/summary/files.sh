# What to type next names all files that were given, and a run of a store as it was named.
cp "$TESTDATA/example/before.prof" "$TESTDATA/example/after.prof" .
profkit before.prof -n 1 after.prof | grep '^  profkit' | sed 's/   .*//'
profkit store add -q runs.db before.prof
profkit runs.db@1 -n 1 | grep '^  profkit tree'
