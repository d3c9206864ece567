# Samples beside spans are marks of their threads; those of an exact metric are the spans again.
for file in gecko/markers.gecko.json chrome/samples.json; do
    profkit timeline -q "$TESTDATA/$file" -o "$(basename $file).svg"
    grep -o 'class="mark sampled"[^>]*>.*</title>' "$(basename $file).svg"
done
