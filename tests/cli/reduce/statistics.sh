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
# Costs below 0, as differences have: f costs -5 in one of two runs, so that half of the runs have at most -5, and 95 % at most 0.
printf 'main;f 5\nmain;g 7\n' >before.folded
printf 'main;g 7\nmain;h 3\n' >after.folded
for side in before after; do
	profkit convert -q $side.folded -o $side.db
	sql $side.db 'update cost set self = -self'
done
profkit reduce -q -o below.db before.db after.db
profkit hotspots --format csv below.db | cut -d, -f 1,8,14,15,17-19
