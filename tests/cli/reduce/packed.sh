# A part that is packed: smaller, read by all commands, and added as it is.
profkit reduce -q -o part.db "$TESTDATA/example/before.prof" "$TESTDATA/example/after.prof"
profkit reduce -q -o part.db.zst "$TESTDATA/example/before.prof" "$TESTDATA/example/after.prof"
[ $(($(stat -c %s part.db.zst) * 2)) -lt $(stat -c %s part.db) ]
profkit merge -q -o again.db part.db.zst
cmp part.db again.db
profkit hotspots --format csv part.db > plain.csv
profkit hotspots --format csv part.db.zst > packed.csv
cmp plain.csv packed.csv
profkit query part.db.zst 'SELECT count(*) FROM member'
head -c 2000 part.db.zst > cut.db.zst
status 2 profkit merge -q -o x.db cut.db.zst
