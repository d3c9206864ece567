# One side is measured, the other sampled: the intervals of both directions are the inverse of each other.
cat >b.json <<'X'
{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"py-spy@0.4.0","shared":{"frames":[
{"name":"price_of","file":"orders.py","line":30},{"name":"parse","file":"orders.py","line":21}]},
"profiles":[{"type":"sampled","name":"t","unit":"seconds","startValue":0,"endValue":0.2,
"samples":[[0],[1],[0],[0],[1],[0],[0],[0],[1],[0],[0],[0],[1],[0],[0],[0],[1],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0],[0]],
"weights":[0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005,0.005]}]}
X
profkit diff -q -n 1 "$TESTDATA/example/before.prof" b.json
profkit diff -q -n 1 b.json "$TESTDATA/example/before.prof"
