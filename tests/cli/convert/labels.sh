# Labels, and arguments of events, are named if the output has no place for them.
cpu=$TESTDATA/pprof/everything.pb.gz
profkit convert --to speedscope "$cpu" - >/dev/null
profkit convert --to pprof "$cpu" again.pb.gz
profkit hotspots --by-label bytes --format csv again.pb.gz
profkit convert --to gecko "$TESTDATA/gecko/raw.gecko.json" - >/dev/null
profkit convert --to gecko "$TESTDATA/torch-memory/of-a-profile.pickle" - >/dev/null
profkit convert --to gecko "$TESTDATA/tachyon/plain.bin" - >/dev/null
profkit convert --to csv "$TESTDATA/hyperfine/parameters.json" - >/dev/null
profkit convert --to profkit-baseline "$TESTDATA/hyperfine/parameters.json" - >/dev/null
profkit convert --to speedscope "$TESTDATA/chrome/object.json" - >/dev/null
profkit convert --to chrome "$TESTDATA/chrome/object.json" - >/dev/null
