# Spans and the costs of each thread are not in memory where the output has no place for them.
if [ -n "${SANITIZE-}" ]; then
    echo "the sanitizers need more memory than any limit of use"
    exit 77
fi
mkdir ranks
awk 'BEGIN {
	for (i = 0; i < 2000; i++)
		printf ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":5,\"name\":\"step %d\"}", int(i / 100), 10 * i, i % 500
	print "]"
}' >spans
for i in {1..200}; do
	{ echo "[{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"rank $i\"}}"; cat spans; } >ranks/$i.json
done
profkit merge -q -j1 --max-memory 24M --to folded -o sum.folded ranks
head -n 2 sum.folded
profkit hotspots -q -j1 --max-memory 24M -n 1 ranks/*.json
profkit flamegraph -q -j1 --max-memory 24M -o sum.svg ranks/*.json
