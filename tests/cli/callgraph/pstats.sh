# Arrows of pstats files have times and calls of their own; built-in functions have no file.
profkit callgraph --no-legend --node-thres 20 "$TESTDATA/example/before.prof"
# A caller whose cost is not known has the color of the least share.
profkit callgraph --no-legend "$TESTDATA/pstats/ghost-caller.prof" | grep 'ghost.py\|gone.py' | grep -v -- '->'
