# A run starts with its first sample, also for commands that do not need the times of samples.
TZ=UTC profkit hotspots --like pprof "$TESTDATA/otlp/everything.otlp" | grep Time:
profkit query "SELECT datetime(start / 1000000000, 'unixepoch') FROM run" --format csv "$TESTDATA/otlp/everything.otlp"
