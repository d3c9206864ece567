profkit info "$TESTDATA/example/before.prof" -o out.csv
head -n 1 out.csv
profkit info "$TESTDATA/example/before.prof" -o out.json
head -n 2 out.json
profkit info "$TESTDATA/example/before.prof" --format text -o out.json
head -n 1 out.json
