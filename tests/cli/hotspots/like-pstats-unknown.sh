# Numbers of calls that are not known are no zeros.
printf 'main;a;b 5\nmain;a 1\n' >x.folded
profkit hotspots --like pstats -f folded - <x.folded
profkit callers --like pstats a x.folded
# Where some are known, these are added up.
printf '# callgrind format\nevents: Ir\nfn=main\n1 10\ncfn=a\ncalls=2 5\n1 30\nfn=a\n5 30\n' |
    profkit hotspots --like pstats - | sed -n '1p;/main/p;/(a)\|a$/p'
# The file that is written for other programs has numbers.
profkit convert -q x.folded -o x.prof
profkit hotspots --like pstats x.prof | grep 'function calls'
