# Memory does not tell how busy workers were: an error, and no line in the summary.
profkit workers "$TESTDATA/memray/all.bin"
status=$?
profkit "$TESTDATA/memray/all.bin" | grep workers
exit $status
