# The trace with its path: a thread of its own, and arrows; its numbers are as before.
profkit gpu -q --critical-path -o with.json "$TESTDATA/torch/critical.json"
grep critical_path with.json
for options in "--critical-path --format csv" "--view breakdown --format csv" "--critical-path --annotation Step --format csv"; do
    profkit gpu -q $options with.json | diff - <(profkit gpu -q $options "$TESTDATA/torch/critical.json") && echo same
done
echo == the path is named, and a second one is beside it
profkit gpu -q --critical-path --whole -o twice.json with.json
profkit gpu -q --critical-path -o thrice.json twice.json
profkit timeline -q thrice.json -o thrice.svg
grep -o '<text[^>]*>[^<]*' thrice.svg | sed 's/.*>//' | grep -A 4 '^critical path'
echo == a table in a file
profkit gpu -q --critical-path --format json -o table.json "$TESTDATA/torch/critical.json"
profkit gpu -q --critical-path -o table.csv "$TESTDATA/torch/critical.json"
profkit gpu -q --what-if launch=0 -o what.json "$TESTDATA/torch/critical.json"
head -c 40 table.json; head -1 table.csv; head -c 40 what.json
