# A limit of a time without a unit was taken as nanoseconds: a forgotten %. Calls and 0 need none.
cd "$TESTDATA/example"
status 2 profkit check --baseline before.prof after.prof --fail 'total>5'
status 2 profkit check --baseline before.prof after.prof --fail 'self(price_of)>0.5'
profkit check --baseline before.prof after.prof --fail 'calls>5' --fail 'total>0' | head -n 1
