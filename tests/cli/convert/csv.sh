profkit convert "$TESTDATA/example/before.prof" functions.csv
profkit hotspots --format csv "$TESTDATA/example/before.prof" | cmp - functions.csv
profkit convert -O sort=calls "$TESTDATA/example/before.prof" --to csv - | head -n 2
status 2 profkit convert -O sort=nonsense "$TESTDATA/example/before.prof" x.csv
status 2 profkit convert -O metric=nonsense "$TESTDATA/example/before.prof" x.csv
ls
