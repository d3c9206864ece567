cp "$TESTDATA/example/before.prof" a.prof
status 2 profkit store
status 2 profkit store keep runs.db
status 2 profkit store add runs.db
status 2 profkit store add runs.db nothing.prof
status 2 profkit store add runs.db a.prof --meta commit
: >empty.db
profkit store list empty.db
status 2 profkit hotspots empty.db
status 2 profkit store add a.prof a.prof
status 2 profkit store list a.prof
status 2 profkit store add nowhere/runs.db a.prof
status 2 profkit store remove nothing.db 1
cmp a.prof "$TESTDATA/example/before.prof"
mkdir folder
status 2 profkit store add folder a.prof
status 2 profkit store list folder
status 2 profkit query folder "select 1"
ls
