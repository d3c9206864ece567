# a and b call each other. The numbers are those of gprof2dot -f collapse --total=callratios.
printf 'main;a;b;a;c 5\nmain;a;b 3\nmain;b;a 4\nmain;a 2\nmain;d 6\nmain;d;b;c 1\n' >x.folded
profkit callgraph --total callratios --node-thres 0 -e 0 --to dot x.folded |
    sed -n 's/^\t\([0-9]*\( -> [0-9]*\)*\) \[.* label="\([^"]*\)".*/\1: \3/p'
# b and c are as far from the begin of their cycle: calls between them do not go down. Likewise checked with gprof2dot.
printf 'main;a;b;c 4\nmain;a;c;b 4\nmain;a 2\nmain;a;b;a 1\nmain;a;c;a 1\n' >even.folded
profkit callgraph --total callratios --node-thres 0 -e 0 --to dot even.folded |
    sed -n 's/^\t\([0-9]*\( -> [0-9]*\)*\) \[.* label="\([^"]*\)".*/\1: \3/p'
# No share of time is known of calls of a function by itself, as the first ones of all are here.
printf 'a;a;b 3\na;b;b 1\n' >self.folded
profkit callgraph --total callratios --node-thres 0 -e 0 --to dot self.folded |
    sed -n 's/^\t\([0-9]*\( -> [0-9]*\)*\) \[.* label="\([^"]*\)".*/\1: \3/p'
