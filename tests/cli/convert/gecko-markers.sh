# Markers beside samples: these keep their time, in a part of the file and in a trace, where spans
# have a time of their own.
hotspots() { profkit hotspots -q --format csv "$@" | cut -d, -f1,8; }
cp "$TESTDATA/gecko/markers.gecko.json" .
hotspots -m cpu --time 0ms..10ms markers.gecko.json
hotspots -m cpu --time 0ms..3ms markers.gecko.json
profkit convert -q markers.gecko.json --to chrome -o trace.json
hotspots -m cpu trace.json
hotspots -m time trace.json
# Samples of the metric "time" are called something else there.
sed 's/"weight":null,"weightType":"samples"/"weight":[1,2,4],"weightType":"tracing-ms"/' markers.gecko.json >time.json
hotspots -m time --time 0ms..10ms time.json
profkit convert -q time.json --to chrome -o trace.json
hotspots -m sampled_time trace.json
hotspots -m time trace.json
