# What was written is read as what it was written from: the same functions, files, lines,
# threads, metrics and sums.
[ -z "${SANITIZE-}" ] || { echo "takes long with sanitizers"; exit 77; }
functions='SELECT function, file, line, metric, sum(self), sum(total) FROM function_cost
	WHERE total GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4'
cd "$TESTDATA"
for f in folded/*.folded pstats/*.prof speedscope/*.json; do
	case $f in
	pstats/negative-times.prof) continue ;; # no call path has a value
	esac
	profkit convert -q --to speedscope "$f" -o "$OLDPWD/a.speedscope.json"
	(cd "$OLDPWD" && profkit convert -q --to speedscope a.speedscope.json -o b.speedscope.json)
	profkit query -q --format csv "$OLDPWD/b.speedscope.json" "$functions" >"$OLDPWD/b.csv"
	wc -l <"$OLDPWD/b.csv" >>"$OLDPWD/lines"
	profkit query -q --format csv "$OLDPWD/a.speedscope.json" "$functions" >"$OLDPWD/a.csv"
	cmp "$OLDPWD/a.csv" "$OLDPWD/b.csv" || echo "$f"
	# All frames are one's own where call paths are not estimated.
	case $f in
	folded/large-counts*) ;; # sums beyond 64 bits are cut
	folded/* | speedscope/*)
		profkit query -q --format csv "$f" "$functions" | cmp - "$OLDPWD/a.csv" || echo "$f"
		;;
	esac
done
echo "$(wc -l <"$OLDPWD/lines") files, $(sort -n "$OLDPWD/lines" | head -n 1) lines or more"
