# A snapshot without a history is one moment: no peak, no times, nothing that was allocated or freed. What was allocated since
# a history begins late may be less than the peak, and so may be what a sampler saw.
profkit memory -n 2 "$TESTDATA/torch-memory/no-history.pickle"
python3 -c 'import pickle; pickle.dump({"segments": [], "device_traces": [[]]}, open("empty.pickle", "wb"))'
profkit memory empty.pickle
profkit info "$TESTDATA/torch-memory/without-traces.pickle" | grep -A3 '^metric'
for file in torch-memory/history-cut.pickle scalene/shapes.json; do
    profkit memory -n 1 --by function "$TESTDATA/$file" | grep allocated
done
profkit memory --format csv "$TESTDATA"/torch-memory/pinned.pickle | grep ^sizes
