cd "$TESTDATA/example" || exit
profkit hotspots --metric time --format csv -n 1 before.prof | cut -d , -f 1
profkit hotspots -m 1 --format csv -n 1 before.prof | cut -d , -f 1
profkit hotspots -m memory before.prof
