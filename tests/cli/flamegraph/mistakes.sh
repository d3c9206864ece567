# One clear line each.
echo 'a;b 1' >in.folded
printf 'f\tonclick\n' >attributes
echo 'f rgb(1,2,3)' >map
for option in --colors=pink --minwidth=wide --bgcolors=pink '--uicolor=red;' --width=12 \
    --encoding=UTF-16 --nameattr=attributes --palette-map=map --nameattr=none --metric=time; do
    profkit flamegraph "$option" in.folded >out.svg || echo "status $?, $(wc -c <out.svg) bytes"
done
status 2 profkit flamegraph in.folded -o in.folded/x.svg
profkit flamegraph
