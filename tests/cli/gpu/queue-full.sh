# 1,030 kernels are launched from 100 us on, each 10 us later, and run one after the other from 20,100 us on: from the launch
# of the 1,024th at 10,330 us to the begin of the 7th at 20,160 us, 1,024 or more wait: 9,830 us.
awk 'BEGIN {
	print "{\"traceEvents\": ["
	for (i = 0; i < 1030; i++) {
		print "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 9, \"tid\": 9, \"ts\": " 100 + i * 10 ", \"dur\": 5, \"args\": {\"correlation\": " i + 1 "}},"
		print "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": " 20100 + i * 10 ", \"dur\": 10, \"args\": {\"correlation\": " i + 1 ", \"stream\": 7}},"
	}
	print "{\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": 0, \"args\": {\"labels\": \"GPU 0\"}}]}"
}' >trace.json
profkit gpu -q --whole --view queue --format csv trace.json
# HTA relates it to the time from the first begin to the last, 30,290 us: 0.3245295...
profkit gpu -q --like hta-full-queue trace.json
