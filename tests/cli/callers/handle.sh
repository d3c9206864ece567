# A handle stands for a function, unless a function has this name.
printf 'a;f2 1\na;b 2\n' > x.folded
profkit brief x.folded | grep -o ' f[0-9] [abf].*'
profkit brief x.folded | grep -e handles -e '^profkit callers'
profkit callers f3 x.folded
profkit callers f2 x.folded
status 2 profkit callers f9 x.folded
profkit callees f1 x.folded
printf 'a;b (x.py:1) 1\n' > y.folded
profkit lines y.folded f2
