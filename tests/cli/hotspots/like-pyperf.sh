cp "$TESTDATA"/pyperf/*.json "$TESTDATA/pyperf/bytes.json.gz" .
for view in show stats hist metadata check dump; do
	profkit hotspots --like pyperf-$view suite.json
done
profkit hotspots --like pyperf-show -q suite.json suite-after.json
profkit hotspots --like pyperf-stats bytes.json.gz
# Older versions have the same values; a store keeps them.
profkit hotspots --like pyperf-dump suite.json > new.txt
profkit hotspots --like pyperf-dump version-5.json | diff new.txt -
profkit hotspots --like pyperf-dump version-6.json | diff new.txt -
profkit convert suite.json -o runs.db
profkit hotspots --like pyperf-dump runs.db | diff new.txt -
# Names that only one file has; values of two metrics; a calibration alone.
profkit hotspots --like pyperf-hist -q suite.json timeit.json
profkit hotspots -q --like pyperf-dump odd.json
profkit hotspots -q --like pyperf-show odd.json
status 2 profkit hotspots --like pyperf-show "$TESTDATA/example/before.prof"
status 2 profkit hotspots --like pyperf-show --format json suite.json
