# -m calls: the same program with more calls fails, and the function is named; without calls it is an error.
cd "$TESTDATA/diff" || exit
profkit check -q -m calls -b before.prof before.prof --format csv; echo "status $?"
profkit check -q -m calls -b before.prof often.prof --format csv || echo "status $?"
profkit check -q -m calls -b before.prof often.prof --fail 'self>500%' --format csv; echo "status $?"
profkit check -q -m calls -b before.folded after.folded || echo "status $?"
