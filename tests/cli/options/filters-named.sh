# The head of every table names the filters, as words of a shell: its total is that of what they leave.
cd "$TESTDATA/example"
profkit hotspots -n 1 --focus parse --ignore 'r(e|f)' orders.folded | head -1
profkit tree -n 1 --show-from parse orders.folded | head -1
profkit callers --hide main price_of orders.folded | head -1
profkit lines -n 1 --focus price_of orders.raw.txt | head -1
profkit orders.folded --focus parse | head -1
# Names of rows are no filters.
profkit hotspots -n 1 --granularity file orders.raw.txt | head -1
# Functions have other numbers then, and brief text says so.
profkit hotspots -n 1 --focus parse --format brief orders.folded | sed -n 1,2p
profkit brief --focus parse orders.folded | grep handles
profkit brief orders.folded | grep -c handles || true
# So do comparisons, and JSON of all commands.
profkit diff -q --focus parse orders.folded orders.folded | grep filters
profkit diff -q --view tree --focus parse orders.folded orders.folded | grep filters
profkit lines -q --focus price_of orders.raw.txt -- orders.raw.txt | grep filters
profkit memory --focus main - <"$TESTDATA/memray/all.bin" | head -1
for command in hotspots tree summary diff; do
    profkit $command -q --format json --focus parse --ignore 'r(e|f)' orders.folded $([ $command = diff ] && echo orders.folded) | grep -c '"filters": "--focus parse --ignore '"'r(e|f)'"'"'
done
profkit check --baseline orders.folded orders.folded --focus parse --fail 'total>5%' --format json | grep filters
profkit hotspots --format json --granularity file orders.folded | grep -c filters || true
