# Calls from one function to another that both files have become one, with the sum of both.
cp "$TESTDATA/pstats/cprofile-py313.prof" a.prof
cp a.prof b.prof
profkit convert -q a.prof -o a.db
profkit merge -q a.prof b.prof -o sum.db
for store in a.db sum.db; do
	profkit query --format csv $store "select count(*), sum(self), sum(total), sum(calls) from edge"
done
