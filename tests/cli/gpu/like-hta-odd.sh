# -2^63 means "not known" in profkit: work with this stream is on none.
sed 's/"stream":20/"stream":-9223372036854775808/' "$TESTDATA/torch/rank0.json" > odd.json
for table in -idle -queue; do
    echo "== hta$table"
    profkit gpu -q --like "hta$table" odd.json
done
# Two copies overlap: 4, then 6, 2, 0 GB/s; a copy of no time counts for 1 us; the kind of copies by "dma" is not known.
copy() { # NAME START DURATION GB/S
	echo "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"$1\",\"pid\":0,\"tid\":7,\"ts\":$2,\"dur\":$3,"
	echo "\"args\":{\"device\":0,\"stream\":7,\"correlation\":$2,\"memory bandwidth (GB/s)\":$4}},"
}
{
	echo '{"schemaVersion":1,"deviceProperties":[{"id":0}],"distributedInfo":{"rank":0},"traceEvents":['
	copy "Memcpy HtoD (Pageable -> Device)" 100 10 4
	copy "Memcpy HtoD (Pinned -> Device)" 105 10 2
	copy "Memset (Device)" 200 0 8
	copy dma_in 300 5 1
	echo '{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":1,"ts":50,"dur":500}]}'
} >copies.json
for table in -bandwidth -bandwidth-series; do
    echo "== hta$table"
    profkit gpu -q --like "hta$table" copies.json
done
echo '== copies overlap by 5 us; one runs within the other'
profkit gpu -q --like hta-kernel-types copies.json
sed 's/"ts":105,"dur":10/"ts":105,"dur":2/' copies.json >within.json
profkit gpu -q --like hta-kernel-types within.json
echo '== of several steps, the last one is left out, and so is work of which no call is known'
{
	echo '{"schemaVersion":1,"deviceProperties":[{"id":0}],"distributedInfo":{"rank":0},"traceEvents":['
	for ts in 100 200; do
		echo "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#$ts\",\"pid\":9,\"tid\":1,\"ts\":$ts,\"dur\":100},"
		echo "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":9,\"tid\":1,"
		echo "\"ts\":$((ts + 10)),\"dur\":5,\"args\":{\"correlation\":$ts}},"
		echo "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"of_$ts\",\"pid\":0,\"tid\":7,\"ts\":$((ts + 20)),\"dur\":10,"
		echo "\"args\":{\"device\":0,\"stream\":7,\"correlation\":$ts}},"
	done
	echo '{"ph":"X","cat":"kernel","name":"of_none","pid":0,"tid":7,"ts":140,"dur":30,"args":{"device":0,"stream":7}}]}'
} >steps.json
profkit gpu -q --like hta-kernels steps.json | cut -d, -f 1-6
