# Stacks of a pstats file are an estimate: its numbers are marked.
profkit callgraph --focus price_of --node-thres 60 "$TESTDATA/example/before.prof"
