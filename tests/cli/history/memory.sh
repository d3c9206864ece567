# Values of functions that are not asked for are not in memory: 12,000 functions of 400 runs would be 115 MB.
if [ -n "${SANITIZE-}" ]; then
    echo "the sanitizers need more memory than any limit of use"
    exit 77
fi
for i in {1..400}; do
	{ echo "main $((100 + i % 3))"; for f in {1..30}; do echo "main;f_${i}_$f 1"; done; } >$i.folded
done
profkit store add -q runs.db *.folded
profkit history --max-memory 48M -n 2 runs.db
profkit history --max-memory 48M -n 2 runs.db main
