# Arrows of pstats files have times and calls of their own; built-in functions have no file.
profkit callgraph --no-legend --node-thres 20 "$TESTDATA/example/before.prof"
