# A sum that is cut has no first place, and no brackets for it.
profkit reduce -q -o q.db "$TESTDATA"/pstats/*.prof
profkit info -q q.db | grep 'sum of runs'
profkit reduce -o again.db "$TESTDATA"/pstats/*.prof 2>&1 | grep -o "': sum of runs.*"
