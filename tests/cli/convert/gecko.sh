# Whole files: of a trace with markers and counters; of one of Firefox with two processes, whose categories, columns and
# times it keeps; and of samples of several metrics with a library.
cat >trace.json <<'END'
[{"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":"main"}},
{"ph":"M","pid":7,"name":"process_name","args":{"name":"server"}},
{"ph":"X","pid":7,"tid":8,"ts":1,"dur":9,"name":"outer","cat":"a","args":{"n":-5}},
{"ph":"X","pid":7,"tid":8,"ts":2.001,"dur":3,"name":"inner","cat":"GPU"},
{"ph":"X","pid":9,"tid":9,"ts":5,"dur":1,"name":"work","cat":"b"},
{"ph":"i","pid":9,"tid":9,"ts":5.5,"name":"tick","cat":"a","args":{"of":"clock"}},
{"ph":"i","pid":9,"tid":9,"ts":6,"name":"tick","cat":"c"},
{"ph":"i","pid":9,"tid":9,"ts":6,"name":"tick","cat":"d"},
{"ph":"i","pid":9,"tid":9,"ts":6,"name":"tick","cat":"e"},
{"ph":"C","pid":9,"ts":6,"name":"memory","args":{"used":7}},
{"ph":"C","pid":9,"ts":4,"name":"memory","args":{"used":2.5}},
{"ph":"C","pid":7,"ts":4,"name":"queue","args":{"":3}}]
END
cp "$TESTDATA/gecko/raw.gecko.json" "$TESTDATA/otlp/everything.otlp" .
for file in trace.json raw.gecko.json everything.otlp; do
	profkit convert -q $file --to gecko - | sed 's/"profkit [0-9][^"]*"/"profkit VERSION"/'
done
