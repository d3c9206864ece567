# 1,030 kernels are launched within 10,300 us, and run one after the other from 20,000 us on, 10 us each: from the launch
# of the 1,024th at 10,230 us to the begin of the 7th at 20,060 us, 1,024 or more wait: 9,830 us.
awk 'BEGIN {
	print "{\"traceEvents\": ["
	for (i = 0; i < 1030; i++) {
		print "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 9, \"tid\": 9, \"ts\": " i * 10 ", \"dur\": 5, \"args\": {\"correlation\": " i + 1 "}},"
		print "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": " 20000 + i * 10 ", \"dur\": 10, \"args\": {\"correlation\": " i + 1 ", \"stream\": 7}},"
	}
	print "{\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": 0, \"args\": {\"labels\": \"GPU 0\"}}]}"
}' >trace.json
profkit gpu -q --whole --view queue --format csv trace.json
