# Austin's binary file; lines that are no samples.
printf 'MOJ\003\001mode' >x.mojo
profkit info x.mojo
cp "$TESTDATA/austin/bad/two-metrics.austin" x.austin
profkit info -f austin x.austin | tail -n +3
profkit info -f austin --strict x.austin
