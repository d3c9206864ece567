# Functions that tracemalloc does not know are lines: they have no text that begins them, and no place beside their name.
mkdir app
printf '%040d\n' 0 | sed 's/0/import os\n/g' >app/main.py
profkit lines --source . "$TESTDATA/tracemalloc/protocol4.pickle" main.py:40 | cat
profkit lines -n 1 --source . "$TESTDATA/tracemalloc/protocol4.pickle"
profkit hotspots -q -n 2 "$TESTDATA/tracemalloc/protocol4.pickle"
