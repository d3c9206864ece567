# What export_stacks prints: blanks replaced, whole us, nothing added up.
profkit convert -q --to torch-stacks "$TESTDATA/torch/stacks.json" -
profkit convert -q --to torch-stacks "$TESTDATA/chrome/object.json" -
