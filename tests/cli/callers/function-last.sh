# The function may come last, where it cannot be a file.
profkit callers "$TESTDATA/example/before.prof" price_of
profkit callers price_of "$TESTDATA/example/before.prof" | head -n 1
