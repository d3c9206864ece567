# Names of columns are text like any other: no control bytes reach a terminal.
profkit query "$TESTDATA/example/before.prof" "SELECT 1 AS \"a$(printf '\033[31m')\", 2 AS \"b
c\""
