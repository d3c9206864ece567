# x is on 20 stacks, on 10 of them below main; by shares of calls, main gets all its time.
cat >x.folded <<'FOLDED'
main;x;y 10
x;y 10
FOLDED
for method in exact callstacks callratios; do
	echo "== $method"
	profkit callgraph --total $method x.folded | sed 's/ \[.* label=\("[^"]*"\).* style=\([a-z]*\).*/ \1 \2/'
done
