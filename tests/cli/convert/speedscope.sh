# Paths become samples, depth first; equal frames are one, over all inputs.
printf 'main;work 3\nmain;work;len 2\nmain 1\nmain;"q" 4\n' >a.folded
printf 'main;work 7\n' >b.folded
profkit convert a.folded b.folded --to speedscope - | sed 's/profkit@[0-9.]*/profkit@VERSION/'
# Events of two threads; one has a name.
cat >trace.json <<'END'
[{"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":"main"}},
{"ph":"X","pid":7,"tid":8,"ts":1,"dur":9,"name":"outer"},
{"ph":"X","pid":7,"tid":8,"ts":2.001,"dur":3,"name":"inner"},
{"ph":"X","pid":9,"tid":9,"ts":5,"dur":1,"name":"work"}]
END
profkit convert -q trace.json --to speedscope - | sed 's/profkit@[0-9.]*/profkit@VERSION/'
# Paths that were estimated are so when they are read again.
profkit convert -q "$TESTDATA/example/before.prof" --to speedscope -o estimated.json
profkit query -q estimated.json 'SELECT count(*) = sum(estimated) AS all_estimated FROM node'
