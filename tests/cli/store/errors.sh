cp "$TESTDATA/example/before.prof" a.prof
profkit store
profkit store keep runs.db
profkit store add runs.db
profkit store add runs.db nothing.prof
profkit store add runs.db a.prof --meta commit
: >empty.db
profkit store list empty.db
profkit hotspots empty.db
profkit store add a.prof a.prof
profkit store list a.prof
profkit store add nowhere/runs.db a.prof
profkit store remove nothing.db 1
cmp a.prof "$TESTDATA/example/before.prof"
ls
