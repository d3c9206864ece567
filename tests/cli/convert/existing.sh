# A file that is there is replaced only if -o names it, and a profile of another format only with --force.
cp "$TESTDATA/example/before.prof" "$TESTDATA/example/after.prof" .
cp before.prof third.prof
echo "-- the last operand"
status 2 profkit merge before.prof after.prof third.prof
status 2 profkit convert before.prof third.prof
status 2 profkit convert --merge before.prof after.prof third.prof
status 2 profkit slice before.prof third.prof
cmp before.prof third.prof
: >empty.folded
profkit convert -q before.prof empty.folded && test -s empty.folded && echo "an empty file is replaced"
profkit convert -q --force before.prof empty.folded && echo "--force"
echo "-- a profile of the same format"
profkit merge -o third.prof before.prof after.prof
echo "-- a profile of another format"
status 2 profkit convert -t folded before.prof -o third.prof
status 2 profkit flamegraph before.prof -o third.prof
status 2 profkit hotspots before.prof -o third.prof
status 2 profkit diff before.prof after.prof --format json -o third.prof
status 2 profkit check -b third.prof --update-baseline before.prof
status 2 profkit check -b before.prof after.prof --report junit=third.prof
profkit hotspots before.prof -n 1 -o third.prof --force && head -n 1 third.prof
echo "-- what is no profile, and pictures"
profkit hotspots before.prof -n 2 -o third.prof && wc -l <third.prof
profkit flamegraph -q before.prof -o x.svg && profkit flamegraph -q after.prof -o x.svg
profkit callgraph -q before.prof -o x.svg && echo replaced
profkit check -q -b x.baseline --update-baseline before.prof && profkit check -q -b x.baseline --update-baseline after.prof && echo replaced
