cp "$TESTDATA/example/before.prof" .
profkit convert before.prof a.xyz
profkit convert before.prof .json
profkit convert before.prof -
profkit convert before.prof
profkit convert
profkit convert --to nonsense before.prof a
ls
