# The sum of both, as pstats.Stats("before.prof", "after.prof") has it.
profkit hotspots --format csv --match '^(main|price_of|total_by_customer|parse)$' "$TESTDATA"/example/{before,after}.prof
