# A store is an input like others, and its runs can be asked for.
cp "$TESTDATA/example/before.prof" "$TESTDATA/example/after.prof" .
profkit store add -q runs.db before.prof after.prof
profkit hotspots --format csv before.prof >a.csv
profkit hotspots --format csv runs.db@before.prof >b.csv
profkit hotspots --format csv runs.db@1 >c.csv
profkit hotspots --format csv - <runs.db --run 1 >d.csv
cmp a.csv b.csv && cmp a.csv c.csv && cmp a.csv d.csv && wc -l <a.csv
profkit convert -q runs.db all.db.gz && profkit convert -q all.db.gz again.db
profkit store list --format csv again.db
profkit hotspots runs.db@nothing
