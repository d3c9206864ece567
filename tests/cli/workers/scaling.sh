# t = 100 (0.2 + 0.8 / n) us: 100, 60, 40. All of it is useful time of each worker, so that useful time in
# all grows to 120 and 160.
for workers in 1 2 4; do
    for ((worker = 1; worker <= workers; worker++)); do
        dur=$((20 + 80 / workers))
        echo "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":$worker,\"tid\":1,\"args\":{\"name\":\"ForkPoolWorker-$worker\"}},"
        echo "{\"name\":\"work\",\"ph\":\"X\",\"pid\":$worker,\"tid\":1,\"ts\":0,\"dur\":$dur},"
    done | sed '1s/^/[/; $s/,$/]/' >$workers.json
done
profkit workers --scaling 4.json 1.json 2.json
profkit workers --scaling --format csv 1.json 2.json 4.json
profkit workers --scaling --format json 1.json=1 4.json=3
profkit workers --scaling 1.json 2.json 4.json -o plot.svg
grep -o 'class="ideal".*\|class="\(amdahl\|usl\)" clip[^L]*' plot.svg
sed -n 's/.*<title>\([^<]*\).*/\1/p; s/.*<text x="[0-9.]*" y="506">\([^<]*\).*/\1/p' plot.svg
status 2 profkit workers --scaling 1.json 1.json
status 2 profkit workers --scaling 1.json=0 2.json
profkit workers --scaling 1.json 3.json
