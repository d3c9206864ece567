# Categories and threads as torch 1.9 wrote them; no JSON, strictly, as 2.2 did; none at all.
profkit ops -q "$TESTDATA/torch/old.json"
profkit ops "$TESTDATA/torch/odd.json"
profkit ops -q --like torch "$TESTDATA/torch/legacy.json"
