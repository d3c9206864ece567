# Changes of live memory are not samples of functions: a trace has the call paths of the peak, and their order is lost. If a file knows
# callers only, the message says that paths are estimated.
profkit convert "$TESTDATA/memray/all.bin" peak.trace.json
profkit hotspots --sort total -n 3 --format csv peak.trace.json | cut -d, -f1,9
profkit hotspots --sort total -n 3 --format csv "$TESTDATA/memray/all.bin" | cut -d, -f1,9
profkit convert "$TESTDATA/pstats/cprofile-py313.prof" callers.trace.json
