# Two ranks, named in any order: words, breakdown, what is odd. Numbers are checked by hand: see testdata/torch/make.py.
profkit gpu -q "$TESTDATA/torch/rank1.json" "$TESTDATA/torch/rank0.json"
echo == a folder
mkdir -p traces/old.json && cp "$TESTDATA"/torch/rank[01].json traces && echo >traces/notes.txt
profkit gpu -q traces >folder.txt
sed 's,traces/,TESTDATA/torch/,' folder.txt | diff - <(profkit gpu -q "$TESTDATA"/torch/rank[01].json | sed "s,$TESTDATA,TESTDATA,") && echo same
echo == a folder of links
mkdir links && ln -s "$PWD/traces/rank0.json" links && profkit gpu -q --view breakdown --format csv links
echo == without ranks, in the order of the numbers in names
mkdir old && for i in 2 10 9; do sed "s/sgemm/gemm$i/" "$TESTDATA/torch/old.json" >old/rank$i.json; done
profkit gpu -q --view breakdown old | sed -n '4,6s/,.*//p'
echo == steps are those of the traces that have any
profkit gpu -q --view breakdown "$TESTDATA/torch/rank0.json" "$TESTDATA/torch/old.json" | head -1
echo == one step is slow, some launches are missing
{
    echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
    at=0
    for step in 1 2 3; do
        long=$((step * 100))
        echo "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#$step\", \"pid\": 9, \"tid\": 9, \"ts\": $at, \"dur\": $long},"
        echo "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 9, \"tid\": 9, \"ts\": $((at + 1)), \"dur\": 8, \"args\": {\"correlation\": $step}},"
        echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void at::native::copy\", \"pid\": 0, \"tid\": 7, \"ts\": $((at + 50)), \"dur\": 6, \"args\": {\"correlation\": $step}},"
        echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": $((at + long - 20)), \"dur\": 20},"
        at=$((at + long))
    done
    echo '{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}}]}'
} >slow.json
profkit gpu -q slow.json
profkit gpu -q --view memory slow.json
echo == many ranks, one of which computes longer, are a page
mkdir many
for i in {0..19}; do
    long=$((i == 17 ? 90 : 50))
    echo "{\"schemaVersion\": 1, \"deviceProperties\": [], \"distributedInfo\": {\"rank\": $i}, \"traceEvents\": [
    {\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#1\", \"pid\": 9, \"tid\": 9, \"ts\": 0, \"dur\": 100},
    {\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": 1, \"dur\": $long}]}" >many/rank$i.json
done
profkit gpu -q many | sed '/^rank \([2-9]\|1[0-4]\),/d'
profkit gpu -q -n 0 many | grep -c '^rank [0-9]*, GPU 0  '
