# Results of benchmarks have no call paths: they can become csv, json, Markdown and a store only.
cp "$TESTDATA/pytest-benchmark/values.json" .
profkit convert -q values.json -o first.csv && head -n 3 first.csv
profkit convert values.json -o bench.db && profkit hotspots bench.db
profkit convert values.json --to json -o all.json && grep -c '"parse"' all.json
profkit convert values.json -o table.csv
profkit convert -q values.json own.json && profkit convert -q values.json --to json - | cmp - own.json
profkit convert values.json table.md && cat table.md
profkit convert -q values.json -O sort=median - --to markdown | sed -n 5p
status 2 profkit convert values.json x.speedscope.json
status 2 profkit convert values.json -o values.folded
status 2 profkit convert values.json -o values.svg
