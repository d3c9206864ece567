# Several profiles go to a file that holds several, or are added.
cp "$TESTDATA/example/before.prof" "$TESTDATA/example/after.prof" .
profkit convert before.prof after.prof runs.db
profkit info runs.db --format csv | grep ^file,
profkit convert before.prof after.prof both.folded || echo $?
profkit convert -q --merge before.prof after.prof both.db
profkit info both.db --format csv | grep -c ^file,
profkit info both.db@1 --format csv | grep metric
profkit info runs.db --format csv | grep metric
ls
