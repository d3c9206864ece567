# Ranks of a folder, a pattern and a list: as if they were named in the order of their numbers. What is no profile, or is there
# twice, is left out and said.
mkdir -p job/rank10
for rank in 0 1 2 10; do
	printf '{"schemaVersion": 1, "distributedInfo": {"rank": %d}, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm",
		"pid": 9, "tid": 1, "ts": 1000, "dur": %d}]}' $rank $((1000 + rank * 100)) >job/rank$rank.json
done
mv job/rank10.json job/rank10
profkit workers job/rank0.json job/rank1.json job/rank2.json job/rank10/rank10.json >named.txt
cp job/rank2.json job/zcopy.json
echo 'How these were recorded' >job/NOTES
profkit workers job | cmp - named.txt
profkit workers -q 'job/rank10/*' 'job/rank*.json' >pattern.txt
printf '%s\n' job/rank2.json job/rank10/rank10.json job/rank1.json job/rank0.json | profkit workers -q --by rank @- >list.txt
cmp pattern.txt list.txt
tail -n +2 named.txt | cmp - <(tail -n +2 list.txt)
profkit workers -q --by rank --format csv 'job/rank*.json' | cut -d , -f 3,7
profkit workers -q --by rank --workers 'rank [02]' --main 'rank 0' --format csv job | cut -d , -f 3-7
profkit workers -q --format csv --scaling 'job/rank[0].json' job/rank1.json=2 | cut -d , -f 1,2,3
status 2 profkit workers --run 1 job
mkdir empty
status 2 profkit workers empty
echo 'How these were recorded' >empty/NOTES
status 2 profkit workers empty
echo 'seed 1' >job/seed
status 2 profkit workers job
