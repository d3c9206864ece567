# A sum beyond 64 bits is cut, which is said.
printf 'a;b 9000000000000000000\na;c 9000000000000000000\n' >x.folded
printf 'a;b 9000000000000000000\na;c 1000\n' >y.folded
profkit diff --format csv x.folded y.folded | wc -l
profkit diff --view tree --format csv x.folded y.folded | wc -l
