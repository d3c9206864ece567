# Profiles without lines, and names that are not found.
cd "$TESTDATA/example" || exit
status 2 profkit lines before.prof
status 2 profkit lines orders.folded
status 2 profkit lines orders.raw.txt no_such_function
status 2 profkit lines orders.raw.txt '('
status 2 profkit lines
status 2 profkit lines orders.raw.txt orders.py:9999
