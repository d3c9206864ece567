# What hyperfine prints and exports. The tables beside the fixtures are hyperfine's own.
cd "$TESTDATA/hyperfine"
for name in two parameters single; do
    profkit hotspots -q --like hyperfine-markdown $name.json | cmp - $name.md
done
profkit hotspots -q --like hyperfine-csv two.json | cmp - table.csv
profkit hotspots -q --like hyperfine-csv table.csv | cmp - table.csv
profkit hotspots --like hyperfine --unit ms two.json single.json
profkit hotspots -q --like hyperfine odd.json
profkit hotspots -q --like hyperfine-asciidoc odd-table.csv
profkit hotspots -q --like hyperfine-csv odd.json
profkit hotspots -q --like hyperfine failing.json
profkit hotspots --like hyperfine-markdown -m user table.csv
profkit hotspots --like hyperfine "$TESTDATA/timeit/several.txt"
status 2 profkit hotspots --like hyperfine-markdown failing.json
status 2 profkit hotspots --like hyperfine -m maxrss "$TESTDATA/time/runs.txt"
status 2 profkit hotspots --like hyperfine -m none two.json
profkit hotspots --like hyperfine-markdown --unit us parameters.json
status 2 profkit hotspots --like hyperfine --unit ns two.json
status 2 profkit hotspots --like hyperfine-csv --format csv two.json
status 2 profkit hotspots --like hyperfine "$TESTDATA/folded/$(ls "$TESTDATA/folded" | grep folded$ | head -1)"
