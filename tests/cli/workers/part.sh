# Workers of a part: 40 ranks of 3 steps, of which rank 17 works longer. The numbers are those of the traces.
python3 - <<'END'
import json, os
RANKS, STEPS = 40, 3
os.mkdir("ranks")
def busy(rank, step):
    return 9000 + (rank * 7 + step * 13) % 10 * 50 + (3000 if rank == 17 else 0)
for rank in range(RANKS):
    events, at = [], 1000
    for step in range(STEPS):
        last = max(busy(r, step) for r in range(RANKS))
        mine, end = busy(rank, step), at + last + 1000
        for inside in (0, 50):  # a step that is marked twice is one
            events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step + 5}", "pid": 9, "tid": 1,
                           "ts": at + inside, "dur": end - at - 2 * inside})
        for name, begin, to in (("aten::mm", at + 100, at + mine), ("gloo:all_reduce", at + mine, end - 100)):
            events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 9, "tid": 1, "ts": begin, "dur": to - begin})
        at = end
    trace = {"schemaVersion": 1, "distributedInfo": {"rank": rank}, "traceEvents": events}
    with open(f"ranks/rank{rank}.json", "w") as out:
        out.write(json.dumps(trace))
END
profkit reduce -q -o part.db ranks
profkit workers -n 6 part.db
# each rank, and its threads
for by in rank thread; do
	for rank in ranks/rank?.json ranks/rank??.json; do
		profkit workers -q --by $by --limit 0 --format csv $rank | tail -n +2
	done >alone.csv
	profkit workers -q --by $by --limit 0 --format csv part.db | tail -n +2 >part.csv
	sed 's/rank [0-9]*: //' part.csv | cmp - alone.csv
	wc -l <part.csv
done
profkit workers --by thread --workers 'rank 7:' --format csv part.db
profkit query --format csv part.db "select sum(useful), sum(wait), count(*), min(step), max(step) from worker where by = 'rank' group by place = 0"
# any order and grouping
profkit reduce -q -o low.db ranks/rank?.json
profkit reduce -q -o rest.db ranks/rank3?.json ranks/rank[12]?.json
profkit merge -q -o sum.db rest.db low.db
cmp part.db sum.db
# a heat map: a cell for each of 40 ranks with 3 steps and 5 parts
profkit workers -q -o heat.svg part.db
grep -o "rank0.json and 39 more[^<]*" heat.svg
grep -c '<g><title>' heat.svg
grep -o '<title>rank 17 (rank17.json), step 6[^<]*' heat.svg
grep -o 'text-anchor="end">[^<]*' heat.svg | sed -n 1,2p
# processes, threads and runs of other profiles, with times and without, also negative ones: as if the profile itself were shown
for file in chrome/py-spy.json chrome/samples.json torch/gpu.json torch/rank0.json austin/wall.austin austin-mojo/full.mojo \
	perf-script/comms.perf perfetto/tracks.pftrace folded/threads.folded pstats/negative-times.prof pprof/everything.pb.gz; do
	profkit reduce -q --force -o one.db "$TESTDATA/$file"
	for by in process thread rank; do
		profkit workers -q --by $by --limit 0 --format csv one.db >part.csv 2>no || continue
		profkit workers -q --by $by --limit 0 --format csv "$TESTDATA/$file" | cmp - part.csv
		echo "$file: $(tail -n +2 part.csv | wc -l) by $by"
	done
done
cp "$TESTDATA/pstats/names.prof" a.prof
cp "$TESTDATA/pstats/cprofile-py313.prof" b.prof
profkit reduce -q -o sums.db a.prof b.prof
profkit workers -q --limit 0 --format csv a.prof b.prof >alone.csv
profkit workers -q --limit 0 --format csv sums.db | cmp - alone.csv
profkit workers -q -o sums.svg sums.db
grep -c '<g><title>' sums.svg
# one run without times has one clock
profkit reduce -q -o alone.db a.prof
profkit workers -q alone.db | grep clock || echo one clock
# what is not in a part
status 2 profkit workers --by stream part.db
status 2 profkit workers --by task part.db
status 2 profkit workers --functions part.db
status 2 profkit workers --classify 'f=wait' part.db
status 2 profkit workers part.db low.db
profkit reduce -q -o memory.db "$TESTDATA/memray/sums.bin"
status 2 profkit workers memory.db
sqlite3 low.db "update worker set wait = -5 where worker = 0"
status 2 profkit workers low.db
