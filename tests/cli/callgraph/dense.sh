# 30 functions that all call each other: of 900 arrows the largest are drawn, and at least one for every function. If Graphviz exceeds
# its time, the graph is kept.
awk 'BEGIN { for (a = 0; a < 30; a++) for (b = 0; b < 30; b++) printf "f%d;f%d %d\n", a, b, 1 }' >x.folded
profkit callgraph x.folded >x.dot
sed -n 's/.*\\l\([0-9]* of 900 arrows[^\\]*\)\\l.*/\1/p' x.dot
grep -c -- '->' x.dot
sed -n 's/.* -> \([0-9]*\) .*/\1/p' x.dot | sort -u | wc -l
for arrows in 150 151; do
	profkit callgraph --arrows $arrows x.folded | sed -n "s/^.graph/$arrows:/p"
done
profkit callgraph --arrows 0 x.folded | grep -c -- '->'
profkit callgraph --arrows 1 x.folded | grep -c -- '->'
echo == picture
profkit callgraph --draw-time 20 x.folded -o x.svg && tail -1 x.svg
profkit callgraph --arrows 0 --draw-time 1 x.folded -o y.svg || echo $?
ls y.svg*
head -1 y.svg.dot
echo mine >y.svg.dot
profkit callgraph --arrows 0 --draw-time 1 x.folded -o y.svg || echo $?
cat y.svg.dot
