#!/bin/bash
# Makes the files of this folder: see SOURCE. PYTHON has google-benchmark; times differ from run to run.
set -e
cd "$(dirname "$0")"
run() { "${PYTHON:-python3}" words.py --benchmark_min_time=0.001s "$@" 2>/dev/null; }
run --benchmark_format=json --benchmark_repetitions=2 --benchmark_enable_random_interleaving=true \
	--benchmark_context=commit=a1 > repeated.json
run --benchmark_format=json --benchmark_repetitions=2 --benchmark_report_aggregates_only=true > summary.json
run --benchmark_format=csv > csv-once.csv
run --benchmark_format=csv --benchmark_repetitions=2 > csv-repeated.csv
run --benchmark_format=csv --benchmark_repetitions=2 --benchmark_report_aggregates_only=true > csv-summary.csv
