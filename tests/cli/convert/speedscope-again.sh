# What was written is read as what it was written from: the same functions, files, lines,
# threads, metrics and sums.
functions='SELECT function, file, line, metric, sum(self), sum(total) FROM function_cost
	WHERE total GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4'
cd "$TESTDATA"
for f in folded/*.folded pstats/*.prof speedscope/*.json; do
	profkit convert -q --to speedscope "$f" "$OLDPWD/a.speedscope.json" 2>/dev/null || continue
	(cd "$OLDPWD" && profkit convert -q --to speedscope a.speedscope.json b.speedscope.json)
	cmp <(profkit query -q --format csv "$OLDPWD/a.speedscope.json" "$functions") \
		<(profkit query -q --format csv "$OLDPWD/b.speedscope.json" "$functions") || echo "$f"
	# All frames are one's own where call paths are not estimated.
	case $f in
	folded/large-counts*) ;; # sums beyond 64 bits are cut
	folded/* | speedscope/*)
		cmp <(profkit query -q --format csv "$f" "$functions") \
			<(profkit query -q --format csv "$OLDPWD/a.speedscope.json" "$functions") ||
			echo "$f"
		;;
	esac
done
