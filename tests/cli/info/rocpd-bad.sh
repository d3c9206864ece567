# JSON whose records come before what names them.
cd "$TESTDATA/rocpd/bad"
status 2 profkit info sorted.json
# Rows that are not there end it with --strict, with their place said once.
status 2 profkit info --strict ../missing.db
status 2 profkit info --strict ../process.json
