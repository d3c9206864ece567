# A baseline knows functions alone: beside the call paths of a run, all of these would seem to be new.
cp "$TESTDATA"/diff/before.prof "$TESTDATA"/diff/slower.prof .
profkit check -q --baseline before.baseline --update-baseline before.prof
profkit diff -q before.baseline slower.prof --view tree || echo "status $?"
profkit diff -q slower.prof before.baseline --view tree || echo "status $?"
profkit flamegraph -q --diff before.baseline slower.prof >/dev/null || echo "status $?"
profkit callgraph -q --diff before.baseline slower.prof >/dev/null || echo "status $?"
# Pictures are of sums: of how many runs.
cp slower.prof again.prof
for picture in flamegraph callgraph; do
    profkit $picture --diff before.prof slower.prof again.prof >/dev/null
    profkit $picture --diff before.prof slower.prof >/dev/null
done
# The page has the functions of both, and the views of changed paths where both sides have some.
for before in before.prof before.baseline; do
    profkit diff -q -o x.html --force $before slower.prof
    grep -o '"comparison":{.*' x.html | grep -o '"count":[0-9]*,"left":[0-9]*,"symbol":\|"paths":{"count":[0-9]*'
done
# Two that know functions alone are equal in this.
profkit check -q --baseline slower.baseline --update-baseline slower.prof
profkit diff -q before.baseline slower.baseline --view tree -n 2
