# A bar for each GPU, or for each step of a single one; parts side by side.
profkit gpu -q -o ranks.svg "$TESTDATA"/torch/rank[01].json
grep -o '<title>[^<]*</title>' ranks.svg
profkit gpu -q -o steps.svg "$TESTDATA/torch/rank0.json"
grep -o '>step [^<]*<' steps.svg
