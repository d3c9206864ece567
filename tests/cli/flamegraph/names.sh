# Whatever names contain, the file is XML.
command -v xmllint >/dev/null || {
    echo "no xmllint"
    exit 77
}
printf '<b>&";]]>;</script> 1\n\001\033[31m;\377\303( 2\n\357\277\276;\302\205 3\n--;<!-- 4\n' >in.folded
for options in '' --no-javascript '--encoding US-ASCII' '--inverted --reverse' --flamechart; do
    profkit flamegraph $options in.folded -o out.svg && xmllint --noout --nonet out.svg && echo ok
done
for file in "$TESTDATA"/folded/*.folded "$TESTDATA"/pstats/*.prof; do
    case $file in
    */negative-times.prof) continue ;; # nothing to draw
    esac
    profkit flamegraph -q --minwidth 0 "$file" -o out.svg
    xmllint --noout --nonet out.svg || echo "$file"
    rm out.svg
done
