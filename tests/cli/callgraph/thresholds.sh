# f has 0.4 %, and goes; the arrow from d to e has 0.1 %, and stays until more is asked for.
cat >x.folded <<'FOLDED'
main 896
main;e 50
main;d 49
main;d;e 1
main;f 4
FOLDED
profkit callgraph x.folded
echo == more
profkit callgraph --no-legend --node-thres 0.3 -e 0.2 x.folded
echo == min-share
profkit callgraph --no-legend --min-share 5.1 -e 0 x.folded
