cp "$TESTDATA"/example/*.prof .
profkit store add -q runs.db before.prof after.prof
profkit store add -q runs.db before.prof --label x
profkit store remove runs.db x 1
status 2 profkit store remove runs.db x
profkit store add runs.db before.prof
profkit store list --format csv runs.db
