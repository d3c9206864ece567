# --rank chooses files of a rank, and processes of what was added before; others say nothing, unless no file is of this rank.
for rank in 1 3; do
	profkit hotspots --rank $rank -n 2 "$TESTDATA/torch/gpu.json" "$TESTDATA/torch/rank1.json" | tail -n +2
done
profkit hotspots --rank 2 -n 2 "$TESTDATA/torch/gpu.json" "$TESTDATA/torch/rank1.json" 2>&1 | sed 's/.*: time/time/'
profkit convert "$TESTDATA/torch/gpu.json" "$TESTDATA/torch/rank1.json" both.db
profkit hotspots --rank 1 -n 2 both.db | tail -n +2
profkit hotspots --rank 1 "$TESTDATA/example/before.prof" 2>&1 | sed 's/^profkit: .*before/profkit: before/'
status 2 profkit hotspots --rank first "$TESTDATA/torch/gpu.json"
