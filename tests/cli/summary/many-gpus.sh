# A trace with kernels on more than 32 GPUs, each of which takes time for all spans: the others are counted.
{
	echo '{"schemaVersion": 1, "traceEvents": ['
	for gpu in $(seq 0 34); do
		[ "$gpu" = 0 ] || echo ,
		echo '{"ph": "X", "cat": "kernel", "name": "gemm", "pid": '"$gpu"', "tid": 7, "ts": '"$gpu"', "dur": 8,
		"args": {"device": '"$gpu"', "stream": 7}}'
	done
	echo ']}'
} >gpus.json
profkit summary gpus.json | grep -c '^GPU .*: busy'
profkit summary gpus.json | grep 'more GPU'
profkit summary --format json gpus.json | grep -o '"gpus_left_out": *[0-9]*'
