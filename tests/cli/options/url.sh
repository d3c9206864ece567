# A URL is no file: the message says how to read it. A folder of such a name is one.
status 2 profkit hotspots https://example.org/cpu.pprof
mkdir -p http:/x
status 2 profkit hotspots http://x
status 2 profkit hotspots no-such-file
