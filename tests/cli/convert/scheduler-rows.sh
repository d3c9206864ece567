# Time on CPUs and in states is not that of functions in a trace that is converted, nor when that is converted again.
sums() { "$PROFKIT" query --format csv -q "$1" "SELECT m.text AS metric, sum(c.self) AS sum, count(DISTINCT c.thread) AS rows FROM cost c
  JOIN metric k ON k.id = c.metric JOIN string m ON m.id = k.name GROUP BY 1 ORDER BY 1"; }
for file in perfetto/sched perfetto/sched-clock; do
    sums "$TESTDATA/$file.pftrace" 2>&1 | tee read
    for to in perfetto chrome; do
        "$PROFKIT" convert -q --force --to $to -o first "$TESTDATA/$file.pftrace"
        "$PROFKIT" convert -q --force --to perfetto -o second first
        "$PROFKIT" convert -q --force --to chrome -o third second
        for again in first second third; do sums $again | cmp - read && echo "$to, $again: the same"; done
    done
done
