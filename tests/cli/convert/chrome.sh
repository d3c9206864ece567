# Spans; samples in the order of time; call paths without times.
profkit convert --to chrome "$TESTDATA/speedscope/evented.speedscope.json" -
profkit convert --to chrome "$TESTDATA/speedscope/sampled.speedscope.json" -
printf 'main;work;read 2\nmain;work 1\nmain;write 4\n' >a.folded
profkit convert a.folded a.trace.json
cat a.trace.json
profkit convert a.folded a.trace.json.gz
gzip -dc a.trace.json.gz | cmp - a.trace.json
profkit convert --to chrome -O metric=bytes a.folded -
