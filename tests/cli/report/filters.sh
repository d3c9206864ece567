# Filters restrict the page, which knows them for the commands that it shows.
printf 'main;work;sort 30\nmain;idle 5\n' >"it's.folded"
profkit report --focus sort --hide '^work$' --no-inlines "it's.folded" -o a.html
cp "it's.folded" ./-x.folded
profkit report -o b.html -- -x.folded
grep -o '"files":"[^"]*"' b.html
sed -n 's/.*id="data">//p' a.html | sed 's/"options"/\n&/;s/"metrics_left"/\n&/' | sed 's/"profkit":"[^"]*"/"profkit":VERSION/'
