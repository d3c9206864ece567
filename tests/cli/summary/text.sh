cp "$TESTDATA/example/before.prof" .
profkit summary before.prof
profkit before.prof | cmp - <(profkit summary before.prof)
