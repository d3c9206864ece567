cat >x.folded <<'FOLDED'
main;a 6
main;b 3
main;c 1
FOLDED
for map in color pink gray bw print safe dark; do
	echo "== $map"
	profkit callgraph --no-legend -c $map x.folded | grep -o -e 'color="[^"]*", fontcolor="[^"]*", fontsize="[^"]*"' -e bgcolor.*
done
echo == skew
for map in color safe; do
	profkit callgraph --no-legend -c $map --skew 0.1 x.folded | grep -o ' color="[^"]*"'
done
echo == self
profkit callgraph --no-legend --color-nodes-by-selftime x.folded | grep -o '\[color="[^"]*"'
