# Shares are exact sums over paths: c is on 15 of 20 stacks, 5 of them right below a.
profkit callgraph - <<'FOLDED'
main;a;b;c 10
main;a;c 5
main 3
main;d 2
FOLDED
