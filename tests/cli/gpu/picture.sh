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
status 2 profkit gpu -q --view kernels -o x.svg "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --view memory -o x.svg "$TESTDATA/torch/rank0.json"
status 2 profkit gpu -q --view queue -o x.svg "$TESTDATA"/torch/rank[01].json
test ! -e x.svg && echo no file
