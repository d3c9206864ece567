# As HTML it is the page of `report`, with the rows that were asked for; benchmarks, trees and lines are tables.
cd "$TESTDATA/diff" && profkit diff --format html -n 2 before.prof slower.prof >"$OLDPWD/x.html"
cd - >/dev/null
grep -o '^<title>.*</title>' x.html
sed -n '/<div id="static">/,/<h1>slower/p' x.html | sed '/<noscript>/d'
grep -o '"count":2,"left":5,"symbol":\[[^]]*\],"before":\[[^]]*\],"after":\[[^]]*\]' x.html
profkit diff -o y.html --machine --normalize --map 'a b=c' "$TESTDATA/diff/before.prof" "$TESTDATA/diff/moved.prof"
grep -o '"options":" --map[^,]*' y.html
profkit diff --format html --view tree "$TESTDATA/diff/before.prof" "$TESTDATA/diff/slower.prof" | grep '<title>'
# The page knows what is compared: times, or calls, which are no times.
for measure in self calls; do
	profkit diff --measure $measure --format html "$TESTDATA/diff/before.prof" "$TESTDATA/diff/slower.prof" >measure.html
	grep -o '"comparison":{"metric":"[^"]*","unit":"[^"]*","exponent":[0-9]*,"time":[^,]*' measure.html
done
