# The command behind the files, the option of another command, version without dashes.
cp "$TESTDATA/example/before.prof" "$TESTDATA/example/after.prof" .
profkit before.prof hotspots -n 1 --format csv
profkit before.prof after.prof diff -n 1 --format csv | cut -d, -f1
status 2 profkit before.prof --sort total
profkit version | grep -c '^profkit '
cp before.prof hotspots
profkit before.prof hotspots | head -n 1
