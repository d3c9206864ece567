# A count beyond 64 bits is cut, which is said, and the same number is printed whatever is done with it.
cp "$TESTDATA/pstats/huge-counts.prof" x.prof
profkit hotspots --like pstats x.prof | grep -E 'function calls|len'
profkit hotspots --like pstats --trim-path /srv x.prof | grep -E 'function calls|len'
profkit merge -t pstats -o sum.prof x.prof x.prof
profkit hotspots --like pstats sum.prof | grep -E 'function calls|len'
# So is a sum, and a value that another run's finer unit makes larger.
printf 'a;b 9223372036854775807\n' >huge.folded
printf 'a;b 3\n' >small.folded
printf 'a;b 0.25\n' >fine.folded
profkit merge -t folded -o - huge.folded small.folded
profkit merge -t folded -o - fine.folded huge.folded
profkit hotspots --like pstats x.prof x.prof | grep 'function calls'
