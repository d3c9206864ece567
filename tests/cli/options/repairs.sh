# What was mended is said once for each kind, with its first place; --strict refuses.
printf 'a;b 1\nno count here\na 2\nnor here\n' >x.folded
profkit hotspots -f folded --format csv x.folded
profkit hotspots -f folded -q -o /dev/null x.folded
for command in info brief report; do
	profkit $command -q -f folded x.folded | sed '/id="data"/,$d' | grep -o 'repair.*\|<p>warning.*'
done
status 2 profkit info -f folded --strict x.folded
printf 'a;b 1\n\033[31mno\ncount\n' >$'red\033[31m.folded'
profkit info -f folded -o /dev/null $'red\033[31m.folded'
