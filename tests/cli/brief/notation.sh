# The notation of other commands.
cd "$TESTDATA/example"
profkit diff --format brief --budget 300 before.prof after.prof
profkit workers --format brief "$TESTDATA/workers/$(ls "$TESTDATA/workers" | grep -m 1 json)"
profkit check --baseline before.prof --fail 'total>5%' --format brief after.prof
profkit summary --format brief -n 1 before.prof | sed -n 2,4p
