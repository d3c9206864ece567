# Functions by cost, the source beside the numbers: found in the current folder, not for a library that is
# not there.
cd "$TESTDATA/example" || exit
profkit lines -n 4 orders.raw.txt
echo == all of a function
profkit lines orders.raw.txt price_of
echo == by a regular expression, with context
profkit lines --context 0 orders.raw.txt '^total|^parse$'
