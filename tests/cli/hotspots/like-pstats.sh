cp "$TESTDATA/example/before.prof" .
export TZ=UTC
touch -d '2023-11-14 22:13:20' before.prof
profkit hotspots --like pstats --sort cumulative --match orders -n 3 before.prof
profkit hotspots --like pstats --match '(' -n 1 before.prof
profkit hotspots --like pstats --match "o['r]\\w+" -n 1% before.prof
