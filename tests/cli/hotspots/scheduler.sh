# CPUs and states of threads are rows with times of their own: they are no threads, and no workers.
trace=$TESTDATA/perfetto/sched.pftrace
profkit info -q "$trace" | grep -E '^(metric|threads|spans)'
profkit hotspots -q "$trace"
profkit hotspots -q -m cpu_time "$trace"
profkit hotspots -q -m state_time --by-worker --by thread --format csv "$trace" | cut -d, -f1-6
echo '# from 1 us to 2 us'
profkit hotspots -q -m cpu_time --time 1us..2us "$trace"
profkit workers -q "$trace" | head -4
profkit timeline -q -o - "$trace" | grep -oE '>(CPU [^<]*|[^<]*states\)|[^<]*thread 8\))<'
echo '# CPUs in the order of their numbers'
profkit hotspots -q -m cpu_time --by-worker --by thread "$trace" | grep -oE "CPU [0-9][^(]*"
echo '# what to ask instead of workers'
profkit workers -q "$trace" | sed -n '/^not_enough_data/,/^$/p'
