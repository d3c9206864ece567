#!/bin/sh
# Writes odd.txt and bad/, which no program printed: ./make.sh
cat > odd.txt <<'TXT'
raw times: 0.0123 0.0119 0.0118
100 loops, best of 3: 118 usec per loop
raw times: 1 sec, 2 sec
Traceback (most recent call last):
raw times: 3 sec, x sec
1 loop, best of 2: 3 sec per loop
0 loops, best of 2: 3 sec per loop
1 loops, best of 2: 3 parsec per loop
1min 2.5s ± 300 ms per loop (mean ± std. dev. of 7 runs, 1,000,000 loops each)
2 h ± 1 h per loop (mean ± std. dev. of 2 runs, 1 loop each)
5 loops, best of 3: 0 nsec per loop
TXT
printf 'raw times: 3 sec, 4 sec\n' > bad/cut.txt
