cd "$TESTDATA/example" && profkit query before.prof \
    "SELECT function, line, calls, self, format_value(total, unit) AS total, module
     FROM function_cost ORDER BY self DESC, function LIMIT 5"
