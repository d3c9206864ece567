# a and b call each other, r only itself.
profkit callgraph - <<'FOLDED'
main;a;b;a;b 5
main;r;r 5
FOLDED
