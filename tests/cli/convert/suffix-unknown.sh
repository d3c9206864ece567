cp "$TESTDATA/example/before.prof" .
status 2 profkit convert before.prof a.xyz
status 2 profkit convert before.prof .json
status 2 profkit convert before.prof -
status 2 profkit convert before.prof
status 2 profkit convert
status 2 profkit convert --to nonsense before.prof a
ls
