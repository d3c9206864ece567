# Busy time of operators that launch work and contain others that do. outer launches 20 us to 30 us, 28 us to 33 us on another
# stream, and 50 us to 55 us: 18 us. inner, which it contains, launches 25 us to 40 us: with it, 25 us. Three calls of again
# take 4, 10 and 10 us: mean 8, median 10, deviation the root of (16 + 4 + 4) / 2.
span() { # CATEGORY NAME START DURATION TID ARGUMENTS
	echo "{\"ph\":\"X\",\"pid\":1,\"tid\":$5,\"cat\":\"$1\",\"name\":\"$2\",\"ts\":$3,\"dur\":$4,\"args\":{$6}},"
}
launch() { # NUMBER OPERATOR AT STREAM START DURATION
	span cuda_runtime cudaLaunchKernel "$3" 0.5 1 "\"External id\":$2,\"correlation\":$1"
	span kernel "k$1" "$5" "$6" "$4" "\"External id\":$2,\"device\":0,\"stream\":$4,\"correlation\":$1"
}
{
	echo '{"schemaVersion": 1, "traceEvents": ['
	span cpu_op outer 1 10 1 '"External id":1'
	launch 1 1 2 7 20 10
	launch 2 1 3 8 28 5
	span cpu_op inner 4 3 1 '"External id":2'
	launch 3 2 5 9 25 15
	launch 4 1 9 7 50 5
	for i in 1 2 3; do
		span cpu_op again $((10 + 2 * i)) 1 1 "\"External id\":$((2 + i))"
		launch $((4 + i)) $((2 + i)) $((10 + 2 * i)) 7 $((50 + 10 * i)) $((i == 1 ? 4 : 10))
	done
	echo '{"ph":"i","s":"g","name":"Record Window End","pid":"","tid":"","ts":100}]}'
} >trace.json
profkit gpu -q --like tracelens-unique-args trace.json | cut -d, -f 1,9-11,20-21
profkit gpu -q --like tracelens-unique-args trace.json | grep '^again' | cut -d, -f 9,10,12,14,16,18,20
