status 2 profkit hotspots --by-worker --by task "$TESTDATA/workers/chunks.json"
