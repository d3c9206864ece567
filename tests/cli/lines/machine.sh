# A row is a line with numbers; --min-share and --sort are those of functions.
cd "$TESTDATA/example" || exit
profkit lines --format csv --min-share 20 --sort total orders.raw.txt
profkit lines --format json orders.raw.txt parse
profkit lines --format csv orders.raw.txt orders.py:44
