# Kernels of less than 10 us by operator and arguments, and their histogram. numpy.histogram([1, 2, 3, 4, 8], 100) has ones in
# the bins 0, 14, 28, 42 and 99, and of [4] alone in bin 50 between 3.5 and 4.5. The whole is 10 us to 60 us.
span() { # CATEGORY NAME START DURATION TID [ARGUMENTS]
	echo "{\"ph\":\"X\",\"pid\":1,\"tid\":$5,\"cat\":\"$1\",\"name\":\"$2\",\"ts\":$3,\"dur\":$4,\"args\":{$6}},"
}
launch() { # NUMBER OPERATOR KERNEL START DURATION [ARGUMENTS]
	span cpu_op "$2" "$1" 0.9 1 "\"External id\":$1$6"
	span cuda_runtime cudaLaunchKernel "$1.1" 0.5 1 "\"External id\":$1,\"correlation\":$1"
	span kernel "$3" "$4" "$5" 7 "\"External id\":$1,\"device\":0,\"stream\":7,\"correlation\":$1"
}
trace() {
	echo '{"schemaVersion": 1, "traceEvents": ['
	cat
	echo '{"ph":"i","s":"g","name":"Record Window End","pid":"","tid":"","ts":60}]}'
}
two=',"Input Dims":[[2,3],[]],"Input Strides":[[3,1],[]],"Concrete Inputs":["","it'"'"'s"]'
one=',"Input Dims":[[5]],"Input Strides":[[1]],"Concrete Inputs":["1"]'
{
	span kernel unlinked 4 3 7 '"device":0,"stream":7,"correlation":99'
	launch 1 add quick 10 2 "$two"
	launch 2 add quick 14 4 "$two"
	launch 3 add quick 20 8 "$one"
	launch 4 mul quick 30 1
	launch 5 mul slow 50 10
} | trace >several.json
launch 1 add quick 10 4 | trace >one.json
profkit gpu -q --like tracelens-short-kernels several.json
for file in several one; do
	echo "== $file"
	profkit gpu -q --like tracelens-short-histogram $file.json | grep -v ',0$'
done
