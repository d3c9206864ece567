# A long name of a run is cut at its end above the step, so that names of one kind of run are told apart by their begin.
for i in 1 2 3 4 5 6 7; do
	echo "main $((i > 3 ? 150 : 100))" >run.folded
	profkit store add -q --label "nightly-$i-of-a-branch-with-a-long-name" runs.db run.folded
done
profkit history runs.db main -o x.svg
grep -A2 'class="step"' x.svg
