cd "$TESTDATA/pyinstrument" || exit
profkit info v4.7.pyisession
profkit info odd.pyisession
profkit info bad/empty.json
