cat >x.folded <<'FOLDED'
main;load;read;decode 30
main;load;check 10
main;run;step;decode 40
main;run;step;check 20
FOLDED
profkit callgraph --no-legend --root load x.folded
echo == leaf
profkit callgraph --no-legend --leaf 'dec*' --depth 1 x.folded
echo == both
profkit callgraph --no-legend --root /^run/ --leaf check x.folded
