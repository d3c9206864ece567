# Runs of a store by label; all runs of a store are a side.
for i in 1 2 3; do
    profkit store add -q runs.db --label a$i "$TESTDATA/diff/run-a$i.prof"
    profkit store add -q runs.db --label commit=b$i "$TESTDATA/diff/run-b$i.prof"
    profkit store add -q after.db "$TESTDATA/diff/run-b$i.prof"
done
profkit diff runs.db@a1 runs.db@commit=b1
profkit diff runs.db@a1 runs.db@a2 runs.db@a3 -- after.db
