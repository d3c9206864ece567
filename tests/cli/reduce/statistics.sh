# Statistics over runs: 1, 2, ... 9 and 1000 of f; g is in half of the runs.
for n in 1 2 3 4 5 6 7 8 9 1000; do
	echo "main;f $n" >run$n.folded
	[ $((n % 2)) = 0 ] || echo "main;g 7" >>run$n.folded
done
profkit reduce -o all.db run*.folded
profkit hotspots --format csv all.db
profkit hotspots all.db | head -n 2
profkit query --format csv all.db \
	"select f.text as function, of, runs, sum, least, most, m.text as most_in, squares_high, squares_low
	from spread join function on function.id = function join string f on f.id = function.name
	join member on member.id = most_in join string m on m.id = member.name order by 1, 2"
