# Waiting is not the brightest color on a dark background.
profkit workers "$TESTDATA/workers/chunks.json" -o w.svg
grep -c 'prefers-color-scheme:dark).*fill="#c8c8c8".*fill:#7d8088' w.svg
grep -q 'fill="#c8c8c8"><title>\|height="15" fill="#c8c8c8"/>' w.svg
profkit timeline "$TESTDATA/example/shop.json" | status 1 grep -c c8c8c8
