# Very many runs are read in pieces, of which the values are kept; FILE@FROM..TO are read at once. Both show the same.
[ -z "${SANITIZE-}" ] || { echo "takes long with sanitizers"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
for n in 1 2 3 4; do
	printf 'main;parse %d\nmain;write_%d 3\nmain;parse;main %d\n' $((10 + n)) $n $n >run$n.folded
	profkit store add -q --meta commit=c$n runs.db run$n.folded
done
for n in 1 2 3 4 5 6 7 8 9; do
	cp runs.db other.db
	profkit store merge -q runs.db other.db
done
# both WAY ARGUMENT...: the history in pieces and at once
both() {
	profkit history -q --limit 0 "$@" runs.db $function >pieces || echo "status $?"
	profkit history -q --limit 0 "$@" runs.db@1..2048 $function >at-once || echo "status $?"
	cmp pieces at-once
}
function=
both
function=parse
both --format json
function=write_3
both --measure total --format csv
head -4 pieces
function=
# an unknown function; several; a selection; counts that nothing has; the newest
profkit history runs.db none || true
profkit history --limit 0 runs.db 're:write_.*' || true
both --focus parse
both -m calls
profkit history --limit 2010 runs.db | sed -n '1p;4,6p'
# Runs that were not added in the order of time: the newest is the first, or one in the middle. Messages come once.
sql runs.db "update run set start = 10000 - run, duration = 1"
both
sed -n 4,5p pieces
function=write_3
both --measure total --format json
sql runs.db "update run set start = run * 7 % 2048, duration = 1"
function=
both
sed -n 4,5p pieces
profkit history -q --limit 0 -o pieces.svg runs.db
profkit history -q --limit 0 -o at-once.svg runs.db@1..2048
cmp pieces.svg at-once.svg
function=parse
both --format csv
sql runs.db "insert into repair select run, format, 2, format from run where run = 7"
profkit history --limit 0 runs.db 2>&1 >pieces | grep run3.folded
# One with another metric.
profkit store add -q runs.db "$TESTDATA/example/before.prof"
profkit history --limit 0 runs.db || true
