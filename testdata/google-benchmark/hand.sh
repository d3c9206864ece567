#!/bin/bash
# Makes cut.json of repeated.json, and what is written out by hand: odd.json, csv-odd.csv, bad/.
set -e
cd "$(dirname "$0")"
# A program that died while it wrote its fourth row.
head -c "$(($(grep -bo '"name"' repeated.json | sed -n 4s/:.*//p) + 250))" repeated.json > cut.json
cat > odd.json <<'JSON'
{"context": {"date": "2026-11-23T07:00:00+01:00", "host_name": "a\"b", "executable": "./odd", "num_cpus": 8,
  "mhz_per_cpu": 3000, "cpu_scaling_enabled": true, "caches": [], "library_version": "v1.9.1",
  "library_build_type": "debug", "other": null}, "benchmarks": [
 {"name": "seconds/real_time/threads:4", "run_name": "seconds/real_time/threads:4", "run_type": "iteration", "threads": 4,
  "iterations": 3, "real_time": 1.5, "cpu_time": 5.75, "time_unit": "s"},
 {"name": "old", "iterations": 10, "real_time": 2e3, "cpu_time": 1000, "time_unit": "us", "label": "no run_name"},
 {"name": "old", "iterations": 10, "real_time": NaN, "cpu_time": 1.0e3, "time_unit": "us", "bytes_per_second": Infinity},
 {"name": "later", "run_name": "later", "run_type": "iteration", "skipped": true, "skip_message": "not today"},
 {"name": "worst_max", "run_name": "worst", "run_type": "aggregate", "aggregate_name": "max", "aggregate_unit": "time",
  "iterations": 5, "real_time": 7, "cpu_time": 6, "time_unit": "ms"},
 {"name": "worst_mean", "run_name": "worst", "run_type": "aggregate", "aggregate_name": "mean", "aggregate_unit": "time",
  "iterations": 5, "real_time": 4, "cpu_time": 3, "time_unit": "ms", "hits": 12},
 {"run_type": "iteration", "iterations": 1, "real_time": 1, "cpu_time": 1, "time_unit": "ns"}, 5], "more": []}
JSON
printf '%s\n' 'name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message' \
	'"a_mean",100,5,4,ns,,,,,' '"b",1e2,5,4,ms,1e6,,"two' 'lines, ""quoted""",,' '' '"c",1,2' '"d",x,y,3,us,,,,,' > csv-odd.csv
mkdir -p bad
echo '{"context": {"num_cpus": 2, "library_build_type": "release"}, "benchmarks": []}' > bad/empty.json
echo '{"context": {"num_cpus": 2, "library_build_type": "release"}, "benchmarks": [{"name": "a", "error_occurred": true}]}' > bad/failed.json
echo '{"context": {"num_cpus": 2, "library_build_type": "release"}, "benchmarks": [}' > bad/broken.json
echo 'name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message' > bad/empty.csv
