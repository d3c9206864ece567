# Samples are no seconds, and python would say that they are.
printf 'main;a 3\nmain;b 4\n' >x.folded
profkit convert x.folded x.prof
profkit hotspots --like pstats x.prof | sed -n 3p
# The times of pyinstrument are samples', too.
profkit info "$TESTDATA/pstats/pyinstrument.prof" | grep '^metric'
