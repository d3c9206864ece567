# Functions of one run that differ in an address alone are one function of a baseline, with the sum of both.
printf '(main);<function f at 0x7f0010> 10\n(main);<function f at 0x7f0020> 5\n(main);(g) 2\n' >x.folded
profkit convert -q --to profkit-baseline x.folded x.baseline
sed 1d x.baseline
profkit hotspots --format csv x.baseline
# A run without a metric of the first has no values of it.
echo '[{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 5, "name": "a"}]' >time.json
echo 'a 10' >samples.folded
profkit convert -q --to profkit-baseline time.json samples.folded x.baseline --force
sed 1d x.baseline
