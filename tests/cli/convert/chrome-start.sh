# When a run began, and the window that a profiler recorded, are there after it was written.
start() {
	profkit query -q --format csv "$1" "select start from run"
}
for file in pyinstrument/await.pyisession torch/gpu.json chrome/viztracer.json; do
	profkit convert -q --to chrome "$TESTDATA/$file" -o again.json
	start "$TESTDATA/$file" >before.csv
	start again.json | diff before.csv - && cat before.csv
	grep -o '"baseTimeNanoseconds":[0-9]*' again.json
done
profkit slice -q --time 100us..200us "$TESTDATA/torch/gpu.json" part.json
start part.json
profkit convert -q --to chrome "$TESTDATA/torch/gpu.json" -o again.json
grep '"cat":"Trace"' again.json
profkit info -q again.json | grep window
