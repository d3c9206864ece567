# Single runs: a longer time is suspected.
before=$TESTDATA/example/after.prof after=$TESTDATA/example/before.prof
profkit check --baseline "$before" "$after"; echo "status $?"
status 1 profkit check --baseline "$before" "$after" --fail-on suspect -q --format csv | cut -d, -f1-3
profkit check -q --baseline "$before" "$after" --fail-on suspect >/dev/null || echo "status $?"
profkit check -q --baseline "$before" "$after" --fail-on inconclusive >/dev/null || echo "status $?"
# Improvements never fail.
profkit check -q --baseline "$after" "$before" --strict; echo "status $?"
