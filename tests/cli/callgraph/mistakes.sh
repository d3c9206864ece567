printf 'main;a 1\n' >x.folded
echo keep >x.svg
try() { profkit callgraph x.folded -o x.svg "$@" || echo $?; }
try --root nobody
try --leaf '/a(/'
try --time-format '%s'
try --time-format '%d %d'
try --time-format '%*d'
try --node-label selftime
try --skew 0
try --node-thres 101
try --colormap rainbow
try --total guess
try -m memory
cat x.svg
