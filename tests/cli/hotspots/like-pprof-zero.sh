# --like pprof shows pprof's default type of values even if all of them are 0; other views the first one that has any.
cat >freed.heap <<'EOF'
heap profile: 0: 0 [3: 30] @ heapprofile
0: 0 [3: 30] @ 0x5125 0x5110
EOF
profkit hotspots --like pprof -q freed.heap
profkit hotspots --like pprof -q -m alloc_space freed.heap
profkit hotspots -q freed.heap
