# Command lines that look right and would silently do something else.
cp "$TESTDATA/example/before.prof" a.prof
cp "$TESTDATA/chrome/viztracer.json" t.json
echo "-- options after --"
status 2 profkit diff a.prof -- a.prof --sort delta
echo "-- times beyond the run"
status 2 profkit slice --time 5s..6s t.json part.json
status 2 profkit slice --time 5s..6s t.json -t folded
status 2 profkit hotspots --time 5s..6s t.json
echo "-- numbers are seconds"
status 2 profkit hotspots -q --time 10..20 t.json
status 2 profkit slice -q --time 10.. t.json part.json
status 2 profkit hotspots -q --time 10..20us t.json
echo "-- names of pictures"
status 2 profkit callgraph a.prof -o a.jpg
status 2 profkit flamegraph a.prof -o a.txt
status 2 profkit timeline t.json -o t.png
profkit callgraph -q a.prof -o a.gv && head -c 7 a.gv && echo
profkit callgraph -q --to dot a.prof -o a.jpg && head -c 7 a.jpg && echo
ls
