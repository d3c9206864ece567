# A count beyond 64 bits is cut, which is said, and the same number is printed whatever is done with it.
cp "$TESTDATA/pstats/huge-counts.prof" x.prof
profkit hotspots --like pstats x.prof | grep -E 'function calls|len'
profkit hotspots --like pstats --trim-path /srv x.prof | grep -E 'function calls|len'
profkit merge -t pstats -o sum.prof x.prof x.prof
profkit hotspots --like pstats sum.prof | grep -E 'function calls|len'
