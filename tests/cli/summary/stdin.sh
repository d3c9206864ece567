# "-" as the first word is a file; an option as the first word belongs to summary.
profkit - --format csv <"$TESTDATA/example/before.prof" >stdin
profkit --format csv "$TESTDATA/example/before.prof" | cmp - stdin
wc -l <stdin
