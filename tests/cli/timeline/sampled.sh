# Samples beside spans are marks of their threads; those of an exact metric are the spans again.
for file in gecko/markers.gecko.json chrome/samples.json; do
    profkit timeline -q "$TESTDATA/$file" -o "$(basename $file).svg"
    grep -o 'class="mark sampled"[^>]*>.*</title>' "$(basename $file).svg"
done
# Stacks of samples are drawn if their metric is asked for, and if no span lasts.
profkit timeline -q -m samples "$TESTDATA/gecko/markers.gecko.json" -o stacks.svg
sed 's/"dur": *[0-9.]*/"dur": 0/g' "$TESTDATA/chrome/samples.json" >moments.json
profkit timeline -q moments.json -o moments.svg
for picture in stacks moments; do grep -o '<title>[^<]*' $picture.svg; done
