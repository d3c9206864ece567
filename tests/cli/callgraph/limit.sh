cat >x.folded <<'FOLDED'
main 20
main;wrap;work;inner 40
main;wrap;work 30
main;other 10
FOLDED
profkit callgraph -n 3 --limit-by self --residual x.folded
echo == share
profkit callgraph --no-legend -n 40% x.folded
echo == calls
profkit callgraph --no-legend -n 3 --limit-by calls "$TESTDATA/diff/before.prof" | sed -n 's/.*orders:\([0-9]*:[a-z]*\).*/\1/p'
echo == f is called by main: no arrow from c, through b, is drawn for it
printf 'main;f 60\nmain;c 20\nmain;c;b;f 10\n' >called.folded
profkit callgraph --no-legend --node-thres 20 --residual called.folded | grep -- '->' | cut -d ' ' -f 1-3
