# The text of callgrind_annotate: all trees, one event, threads and parts added. peer_callgrind.py compares it.
cd "$TESTDATA/callgrind" || exit
profkit hotspots --like callgrind_annotate --tree both --inclusive levels.out
profkit hotspots --like callgrind_annotate -m D1mr cache.out
profkit hotspots --like callgrind_annotate --tree caller --threshold 50 threads.out
status 2 profkit hotspots --tree both plain.out
status 2 profkit hotspots --like callgrind_annotate --format json plain.out
status 2 profkit hotspots --like callgrind_annotate --sort self plain.out
