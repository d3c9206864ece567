# A session, and what pyinstrument prints of it, are the same tree.
cd "$TESTDATA/pyinstrument" || exit
profkit tree v5.pyisession
profkit tree tree-v5.json
