# Nothing to draw is a graph all the same.
printf 'main;a 1\n' >x.folded
profkit callgraph --ignore main x.folded
# Two sides that cost nothing are the same.
printf 'main;a 0\n' >zero.folded
profkit callgraph --no-legend --diff zero.folded -- zero.folded
profkit callgraph --no-legend -p /nowhere "$TESTDATA/example/before.prof"
