# The sums of a part are those of the merged files.
for files in "pstats/cprofile-py313.prof pstats/names.prof" "folded/names.folded folded/numbers.folded" \
	"torch/gpu.json torch/old.json"; do
	set -- $files
	for command in reduce merge; do
		profkit $command -q --force -o $command.db "$TESTDATA/$1" "$TESTDATA/$2"
		profkit query -q --format csv $command.db "select f.text, m.text, sum(self), sum(total), sum(calls)
			from function_total t join function on function.id = t.function join string f on f.id = function.name
			join metric on metric.id = t.metric join string m on m.id = metric.name
			group by 1, 2 having sum(self) <> 0 or sum(total) <> 0 order by 1, 2" >$command.csv
	done
	cmp reduce.csv merge.csv
	wc -l <reduce.csv
done
