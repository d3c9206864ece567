# What tools for pstats files cannot read is written as they can, and said with its number; -O exact keeps it.
for name in ghost-caller mixed-callers joined-callers unknown-counts not-finite jprofile yappi swapped-counts; do
    for exact in '' '-O exact'; do
        echo "== $name $exact" >&2
        # shellcheck disable=SC2086
        profkit convert $exact "$TESTDATA/pstats/$name.prof" -o x.prof
    done
    profkit hotspots -q --like pstats x.prof | grep 'function calls' >&2
done
echo '== names' >&2
printf 'main\xff;b\xfe 3\nc 1\n' >x.folded
profkit convert x.folded -o x.prof
profkit convert -O exact x.folded -o x.prof
profkit hotspots -q --format csv x.prof | cut -d, -f1 >&2
profkit convert -q x.folded -o x.prof
profkit hotspots -q --format csv x.prof | cut -d, -f1 >&2
