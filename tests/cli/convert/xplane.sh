# A recording of JAX is the same as the JSON that the profiler makes of it: spans, threads, paths, times; arguments but for
# those that only the protocol buffers have.
for file in $TESTDATA/xplane/jax.xplane.pb $TESTDATA/chrome/jax-recorded.json.gz; do
    profkit query -q $file "SELECT time, duration, function, file, line, thread, tid, pid FROM spans ORDER BY time, tid, duration DESC, function;
        SELECT s.time, s.function, a.key, a.value FROM spans s JOIN argument a ON a.owner = 'span' AND a.row = s.id
        WHERE a.key NOT IN ('program_id', '_r') ORDER BY 1, 2, 3" >${file##*.}
done
wc -l <pb
cmp pb gz && echo same
# GPUs: launches are flows; a line that sums up a stream has no cost
profkit query -q $TESTDATA/xplane/gpu.xplane.pb 'SELECT f."from", a.function AS call, b.pid, b.thread, b.function FROM flow f
    JOIN spans a ON a.id = f."from" JOIN spans b ON b.id = f."to" ORDER BY b.time, 3'
profkit hotspots --metric gpu_time $TESTDATA/xplane/gpu.xplane.pb
profkit convert $TESTDATA/xplane/tpu.xplane.pb --to chrome -o - | grep '"fusion.1"' | head -n 1
