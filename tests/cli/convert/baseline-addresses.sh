# Functions of one run that differ in an address alone are one function of a baseline, with the sum of both.
printf '(main);<function f at 0x7f0010> 10\n(main);<function f at 0x7f0020> 5\n(main);(g) 2\n' >x.folded
profkit convert -q --to profkit-baseline x.folded x.baseline
sed 1d x.baseline
profkit hotspots --format csv x.baseline
