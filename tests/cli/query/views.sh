# Common questions need no join: spans and samples with the names of functions and threads.
profkit query "$TESTDATA/example/shop.json" "SELECT thread, function, count(*), sum(duration)
    FROM spans GROUP BY 1, 2 ORDER BY 4 DESC LIMIT 3; SELECT * FROM spans LIMIT 2"
profkit query "$TESTDATA/perf-script/default.perf" "SELECT * FROM samples_by_function ORDER BY value DESC"
# The views of a store say the same, to every program.
profkit store add -q runs.db "$TESTDATA/perf-script/default.perf"
profkit query runs.db "SELECT function, thread, samples, value FROM samples_by_function"
