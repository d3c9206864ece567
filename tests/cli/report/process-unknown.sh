# A profile that does not say which process it is of has none with the number 0.
profkit report --no-sandbox -q "$TESTDATA/pyinstrument/v5.pyisession" | grep -o '"lanes":{"process":\["[^]]*\]'
