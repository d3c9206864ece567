# Text of austin: functions, not lines; the metrics of its mode; metadata is no stack.
profkit hotspots "$TESTDATA/austin/wall.austin"
echo == by line
profkit hotspots --granularity line "$TESTDATA/austin/cpu.austin"
echo == memory: net, and what was freed
profkit hotspots "$TESTDATA/austin/memory.austin"
profkit hotspots --metric freed "$TESTDATA/austin/memory.austin"
echo == -f folded reads every byte as it is
profkit convert -q -f folded --to folded "$TESTDATA/austin/cpu.austin" -
