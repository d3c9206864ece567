# Two parts are compared by a test over their runs: 24 and 30 runs, without a change, and with reduce 15 % slower.
# A run is slow or fast as a whole, too. Means are those of the runs, exactly.
fleet() { # NAME RUNS SEED FACTOR
	awk -v name=$1 -v runs=$2 -v seed=$3 -v factor=$4 '
	function noise() { return ((seed = (seed * 16807) % 2147483647) / 2147483647 - 0.5) * 2 }
	BEGIN {
		functions = split("load 300 decode 200 forward 800 backward 1200 reduce 400 log 50 save 100", f)
		for (run = 1; run <= runs; run++) {
			file = name "/" run ".folded"
			machine = 1 + 0.1 * noise()
			for (i = 1; i < functions; i += 2)
				printf "main;train;%s %d\n", f[i], 1000 * f[i + 1] * machine * (1 + 0.03 * noise()) \
					* (f[i] == "reduce" ? factor : 1) >file
		}
	}'
	profkit reduce -q -o $1.db $1
}
mkdir a b c
fleet a 24 11 1
fleet b 30 12 1
fleet c 30 13 1.15
profkit diff a.db b.db
profkit diff --machine --no-changed a.db c.db
profkit diff --format json a.db c.db | grep '"method"\|"runs"'
profkit check --baseline a.db b.db
status 1 profkit check --baseline a.db c.db
status 1 profkit diff --machine --fail-on regressed -q a.db c.db >out
# the same from the runs, reduced or not
mean() {
	cat $1/*.folded | awk -v runs=$2 '/reduce/ { sum += $2 } END { printf "%.0f\n", sum / runs }'
}
mean a 24
mean c 30
# runs beside a part are reduced; a part in two pieces is one; a single run tells less
profkit merge -q -o c1.db c/1.folded
profkit reduce -q -o first.db c/[1-9].folded
profkit reduce -q -o rest.db c/??.folded
profkit diff a.db -- first.db rest.db >pieces
profkit diff a.db c.db | cmp - pieces
profkit diff a.db -- c/*.folded | cmp - pieces
profkit diff a.db c/1.folded
profkit check --baseline a.db a/1.folded b/1.folded
# pictures and paths show means
profkit diff --view tree a.db c.db
profkit flamegraph --diff a.db c.db | grep -o '<title>[a-z]* ([^<]*' | sort
# what is selected of a part has no statistics
status 2 profkit diff --focus reduce a.db c.db
status 2 profkit check --focus reduce --baseline a.db c.db
# 300 functions and two runs a side leave intervals open
for run in 1 2 3 4; do
	awk -v run=$run 'BEGIN { for (i = 1; i <= 300; i++) print "main;f" i, i * 37 * run % 101 * 100 + 1 }' >$run.folded
done
profkit reduce -q -o wide.db 1.folded 2.folded
profkit reduce -q -o narrow.db 3.folded 4.folded
profkit diff -n 2 wide.db narrow.db | grep -A2 ratio
