# A source file, and a line of it, also where a file of that name is there.
cd "$TESTDATA/example" || exit
profkit lines orders.raw.txt orders.py
echo == a line
profkit lines --context 3 orders.raw.txt orders.py:44
echo == a line without numbers
profkit lines --context 1 orders.raw.txt orders.py:11
