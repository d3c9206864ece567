# Austin's binary file; lines that are no samples.
cp "$TESTDATA/austin/bad/two-metrics.austin" x.austin
profkit info -f austin x.austin | tail -n +3
status 2 profkit info -f austin --strict x.austin
for case in bad/unknown-event bad/long-number cut repeat; do
	status 2 profkit info --strict "$TESTDATA/austin-mojo/$case.mojo"
done
printf 'MOJ\11' >new.mojo
profkit info -f austin-mojo new.mojo
