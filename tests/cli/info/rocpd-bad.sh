# JSON whose records come before what names them.
cd "$TESTDATA/rocpd/bad"
status 2 profkit info sorted.json
