profkit callers --format json "^_randbelow|^price" "$TESTDATA/example/before.prof"
