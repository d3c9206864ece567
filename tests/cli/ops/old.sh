# Categories and threads as torch 1.9 wrote them; no JSON, strictly, as 2.2 did.
profkit ops -q "$TESTDATA/torch/old.json"
profkit ops "$TESTDATA/torch/odd.json"
