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
# Memory that is freed in the moment in which other memory is allocated was not live beside it.
python3 - <<'END'
import pickle
def event(action, time, address, size, name):
    return {"action": action, "addr": address, "size": size, "stream": 0, "time_us": time, "frames": [{"name": name, "filename": "a.py", "line": 1}]}
events = [event("alloc", 10, 1000, 100, "a"), event("alloc", 20, 2000, 100, "b"), event("free_requested", 30, 1000, 100, "a"), event("free_completed", 30, 1000, 100, "a"),
          event("alloc", 2000, 3000, 100, "a"), event("free_requested", 2000, 2000, 100, "b"), event("free_completed", 2000, 2000, 100, "b"),
          event("alloc", 50000, 4000, 500, "c"), event("free_requested", 60000, 4000, 500, "c"), event("free_completed", 60000, 4000, 500, "c")]
pickle.dump({"segments": [], "device_traces": [events]}, open("at-once.pickle", "wb"))
END
profkit memory -o at-once.svg at-once.pickle
grep -o '<rect x="[^"]*".*<title>[^<]*a.py[^<]*\|<rect x.*<title>other functions[^<]*' at-once.svg | sed 's/ y=.*<title>/ /'
