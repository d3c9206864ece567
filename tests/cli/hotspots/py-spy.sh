# Raw files of py-spy: functions in files; processes and threads are no functions.
profkit hotspots "$TESTDATA/py-spy/plain.raw.txt"
echo == by line
profkit hotspots --granularity line "$TESTDATA/py-spy/plain.raw.txt"
echo == one thread
profkit tree --thread 71 "$TESTDATA/py-spy/threads.raw.txt"
echo == processes
profkit info "$TESTDATA/py-spy/processes.raw.txt" | tail -n +3
