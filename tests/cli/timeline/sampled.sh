# Samples beside spans are marks of their threads; those of an exact metric are the spans again.
for file in gecko/markers.gecko.json chrome/samples.json; do
    profkit timeline -q "$TESTDATA/$file" -o "$(basename $file).svg"
    grep -o 'class="mark sampled"[^>]*>.*</title>' "$(basename $file).svg"
done
# Values of another metric are no marks, whatever comes first.
profkit convert -q "$TESTDATA/gecko/markers.gecko.json" -t store -o order.db
sql order.db 'update sample set metric = 3 - metric where rowid in (2, 3)'
profkit timeline -q order.db -o order.svg
diff <(grep sampled markers.gecko.json.svg) <(grep sampled order.svg)
# A metric that samples do not have is that of the spans.
profkit timeline -q -m time "$TESTDATA/chrome/samples.json" -o time.svg
cmp samples.json.svg time.svg
# Stacks of samples are drawn if their metric is asked for, and if no span lasts.
profkit timeline -q -m samples "$TESTDATA/gecko/markers.gecko.json" -o stacks.svg
sed 's/"dur": *[0-9.]*/"dur": 0/g' "$TESTDATA/chrome/samples.json" >moments.json
profkit timeline -q moments.json -o moments.svg
for picture in stacks moments; do grep -o '<title>[^<]*' $picture.svg; done
