# A bar for each GPU, or for each step of a single one; parts side by side.
profkit gpu -q -o ranks.svg "$TESTDATA"/torch/rank[01].json
grep -o '<title>[^<]*</title>' ranks.svg
profkit gpu -q -o steps.svg "$TESTDATA/torch/rank0.json"
grep -o '>step [^<]*<' steps.svg

# What ran at the same time; counters over time; views without a picture.
profkit gpu -q --view overlap -o overlap.svg "$TESTDATA"/torch/rank[01].json
grep -o '<title>[^<]*</title>' overlap.svg
profkit gpu -q --view queue -o queue.svg "$TESTDATA/torch/rank0.json"
profkit gpu -q --view copies -o copies.svg "$TESTDATA/torch/rank0.json"
profkit gpu -q --view memory -o memory.svg "$TESTDATA/torch/gpu.json"
for view in queue copies memory; do
    grep -o '>\(Queue\|Mem\|GPU\|CPU\)[^<]*<' $view.svg
done
# Streams and copies of several GPUs are told apart.
for view in queue copies summary; do
    profkit gpu -q --view $view -o two.svg "$TESTDATA/nsys/two-gpus.sqlite"
    grep -o '<text class="\(lane\|process\)"[^>]*>[^<]*' two.svg | grep -o '>.*'
done
status 2 profkit gpu -q --view kernels -o x.svg "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --view memory -o x.svg "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --view queue -o x.svg "$TESTDATA"/torch/rank[01].json
for what in --critical-path '--what-if launch=0' '--like hta' --counters; do
    status 2 profkit gpu -q $what -o x.svg "$TESTDATA/torch/critical.json"
done
status 2 profkit gpu -q --diff -o x.svg "$TESTDATA"/torch/rank[01].json
profkit gpu -q --critical-path --format csv -o table.svg "$TESTDATA/torch/critical.json" && head -n 1 table.svg
test ! -e x.svg && echo no file
# Of more GPUs than a heat map has rows, each row shows one; this is said above the cells, which begin at 96.
mkdir many
for rank in {0..499}; do
    cat >many/rank$rank.json <<END
{"schemaVersion": 1, "deviceProperties": [{"id": 0}], "distributedInfo": {"rank": $rank}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 5, "args": {"stream": 7, "device": 0}}]}
END
done
profkit gpu -q -o many.svg many
grep -o '<text x="[^>]*>a row is[^<]*' many.svg
grep -o '<text [^>]*"end"[^<]*' many.svg | head -n 2
# With fewer rows to join, some show one GPU and one shows two; overlap is a heat map, too, and names what runs at the same time.
# A level of color for each eighth of a scale.
grep '^\.s[0-9]' many.svg
rm many/rank{251..499}.json
profkit gpu -q --view overlap -o overlap.svg many
grep -o '<text [^>]*>\(a row is\|compute\|+comm\|all\|idle\)[^<]*' overlap.svg
# Bars of a GPU's steps: the first that a timeline has room for.
for step in {0..149}; do
    printf '{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d", "pid": 1, "tid": 1, "ts": %d, "dur": 90},\n' $step $((step * 100))
    printf '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": %d, "dur": 20, "args": {"stream": 7}}%s\n' \
        $((step * 100 + 9)) "$([ $step = 149 ] || echo ,)"
done | sed '1s/^/{"schemaVersion": 1, "deviceProperties": [{"id": 0}], "traceEvents": [\n/; $s/$/]}/' >steps.json
profkit gpu -q -o steps.svg steps.json
grep -o '<text [^>]*>\(the first\|step 99:\|step 100:\|[^<]*not drawn\)[^<]*' steps.svg
# Columns of a heat map are steps; each has its number above its middle: 504 from 200 on are divided.
mkdir three
for rank in {0..69}; do
    {
        printf '{"schemaVersion": 1, "deviceProperties": [{"id": 0}], "distributedInfo": {"rank": %d}, "traceEvents": [\n' $rank
        for step in 5 6 7; do
            printf '{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d", "pid": 1, "tid": 1, "ts": %d, "dur": 90},\n' $step $((step * 100))
            printf '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": %d, "dur": 20, "args": {"stream": 7}}%s\n' \
                $((step * 100 + 9)) "$([ $step = 7 ] || echo ,)"
        done
        echo ']}'
    } >three/rank$rank.json
done
profkit gpu -q -o three.svg three
grep -o '<text [^>]*>[5-7]<' three.svg
# A part of 0.01% of the time is not drawn as the most, although no GPU has more of it: its color is the palest.
mkdir small
for rank in {0..32}; do
    cat >small/rank$rank.json <<END
{"schemaVersion": 1, "deviceProperties": [{"id": 0}], "distributedInfo": {"rank": $rank}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 0, "dur": 9999, "args": {"stream": 7}},
{"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 7, "ts": 9999, "dur": 1, "args": {"stream": 7}}]}
END
done
profkit gpu -q -o small.svg small
grep -o '<title>rank 0,[^<]*\(compute\|copies\):.*class="p[0-9]*"' small.svg
