# The tool is named beside the format if it is called otherwise.
profkit workers "$TESTDATA/pyinstrument/classes.pyisession" | head -n 1
profkit workers "$TESTDATA/example/before.prof" | head -n 1
