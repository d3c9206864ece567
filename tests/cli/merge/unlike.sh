# Metrics are added if name, unit and meaning are the same: measured or sampled, a sum or the largest value. Commands that show
# one metric refuse inputs that have none in common, and say if the one that is shown is not that of all. What keeps
# all metrics says which comes from where.
cd "$TESTDATA"
time=pstats/names.prof memory=memray/all.bin samples=py-spy/native.raw.txt
for command in "" hotspots tree "callers ." callgraph flamegraph brief memory "merge --to folded -o -" "convert --merge --to pstats -o -"; do
    echo "== $command" >&2
    status 2 profkit $command $time $memory
done
echo == sampled and measured >&2
status 2 profkit hotspots $time cpuprofile/head.cpuprofile
status 2 profkit hotspots $memory heapprofile/chrome.heapprofile
echo == the largest value, and a sum >&2
status 2 profkit memory $memory mprof/marked.dat
echo == three kinds, and a folder >&2
status 2 profkit hotspots $samples $memory $time $time
mkdir -p "$OLDPWD/runs"
cp $time $memory "$OLDPWD/runs"
cd "$OLDPWD/runs"
cp names.prof more.prof
echo >>more.prof
cd ..
status 2 profkit merge -o sum.folded runs
profkit merge -m time -o sum.folded runs
cd "$TESTDATA"
echo == chosen >&2
profkit hotspots -m time --format csv $time $memory | cut -d , -f 1,8 >"$OLDPWD/both"
profkit hotspots --format csv $time | cut -d , -f 1,8 | cmp - "$OLDPWD/both"
profkit hotspots -m peak -n 1 --format csv $time $memory | cut -d , -f 1,8
profkit hotspots -q -m time -n 1 $time $time $memory | head -n 1
echo == not of all >&2
profkit hotspots -n 1 pprof/cpu-before.pb.gz $samples | head -n 1
profkit hotspots -n 1 -m samples pprof/cpu-before.pb.gz $samples | head -n 1
status 2 profkit hotspots -m nothing pprof/cpu-before.pb.gz $samples
echo == kept >&2
cd "$OLDPWD"
profkit merge "$TESTDATA/$time" "$TESTDATA/$memory" -o all.db
profkit report "$TESTDATA/$time" "$TESTDATA/$memory" -o page.html
python3 -c 'import base64, json, re, zlib
text = re.search("id=\"data\">(.*?)</script>", open("page.html").read(), re.S)[1].strip()
print(*json.loads(text if text[0] == "{" else zlib.decompress(base64.b64decode(text)))["words"], sep="\n")'
profkit timeline "$TESTDATA/$time" "$TESTDATA/$memory" -o lanes.svg
profkit reduce "$TESTDATA/$time" "$TESTDATA/$memory" -o all.part
for name in "$TESTDATA/$time" "$TESTDATA/$memory"; do profkit query -q --format csv "$name" "select text, total from metric m join string s on s.id = m.name join (select metric, sum(self) as total from function_total group by metric) t on t.metric = m.id"; done | grep -v text,total | sort >apart
profkit query -q --format csv all.db "select text, total from metric m join string s on s.id = m.name join (select metric, sum(self) as total from function_total group by metric) t on t.metric = m.id" | grep -v text,total | sort | cmp - apart
wc -l <apart
echo == a store of unlike runs >&2
profkit store -q add runs.db "$TESTDATA/$time" "$TESTDATA/$memory"
status 2 profkit hotspots runs.db
profkit hotspots --run 2 -n 1 --format csv runs.db | cut -d , -f 1,8
echo == rounded and exact make a rounded sum, in either order >&2
cp "$TESTDATA/mprof/marked.dat" marked.dat
cp "$TESTDATA/torch/gpu.json" gpu.json
for order in "marked.dat gpu.json" "gpu.json marked.dat"; do
    profkit info -q $order | grep 'metric *time'
done
# Files of one format are added as pstats.Stats.add does it, whether a profiler measured or counted samples.
profkit hotspots -q -n 1 "$TESTDATA/pstats/cprofile-py36.prof" "$TESTDATA/pstats/pyinstrument.prof" | head -n 1
