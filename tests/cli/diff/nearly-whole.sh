# f is 99 % of each run: its total is judged as the whole is, with the ratio and the interval of that.
run=0
for share in 101 100 104 99 103 102; do
	run=$((run + 1))
	printf 'f;h %d\nf %d\ng %d\n' $((50 * share + run * 3)) $((49 * share - run * 3)) $share >before$run.folded
	share=$((share * 6 / 5))
	printf 'f;h %d\nf %d\ng %d\n' $((50 * share - run * 5)) $((49 * share + run * 5)) $share >after$run.folded
done
profkit diff -q --measure total --no-changed before?.folded -- after?.folded
