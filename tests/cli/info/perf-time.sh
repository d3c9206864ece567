# Ten digits before the point are more seconds than fit into 64 bits of nanoseconds: no line of perf's.
{
	printf 'app 7 9223372036.854775807: 1 cycles:\n\t1 main (/bin/app)\n\n'
	printf 'app 7 9999999999.999999999: 1 cycles:\n\t1 main (/bin/app)\n\n'
	printf 'app 7 9999999999.999999: 1 cycles:\n\t1 main (/bin/app)\n\n'
} > late.perf
profkit info --from perf-script late.perf
