cp "$TESTDATA"/pyperf/*.json .
profkit diff --like pyperf-compare suite.json suite-after.json
profkit diff --like pyperf-compare -v suite.json suite-after.json 2>/dev/null
profkit diff --like pyperf-compare -G --min-speed 60 suite.json suite-after.json
profkit diff --like pyperf-table suite.json suite-after.json version-6.json
profkit diff --like pyperf-table --format markdown suite.json -- suite-after.json
# What only one file has; numbers of values that differ.
profkit diff -q --like pyperf-compare odd.json odd.json
sed 's/"sort"/"join"/' timeit.json > join.json
profkit diff --like pyperf-compare suite.json join.json
status 2 profkit diff --like pyperf-compare suite.json timeit.json
status 2 profkit diff --like pyperf-compare suite.json
status 2 profkit diff --like pyperf-compare -G suite.json suite.json suite.json
status 2 profkit diff --like pyperf-compare suite.json suite.json -- suite.json
status 2 profkit diff --like pyperf-compare --format csv suite.json suite-after.json
