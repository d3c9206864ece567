# Nothing to draw is a graph all the same.
printf 'main;a 1\n' >x.folded
profkit callgraph --ignore main x.folded
profkit callgraph --no-legend -p /nowhere "$TESTDATA/example/before.prof"
