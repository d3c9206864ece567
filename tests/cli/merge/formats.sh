# Profiles of different formats have different metrics; both are kept where that is possible.
cp "$TESTDATA/example/before.prof" "$TESTDATA/example/orders.folded" .
profkit merge -o both.db before.prof orders.folded
profkit info both.db --format csv | grep -E 'metric|format'
profkit hotspots both.db --format csv -n 1 | tail -n 1 | cut -d , -f 1,8
profkit hotspots both.db -m 2 --format csv -n 1 | tail -n 1 | cut -d , -f 1,8
