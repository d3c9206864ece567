cat >x.folded <<'FOLDED'
main;load;read 3
main;run 2
FOLDED
profkit callgraph --list-functions '*' x.folded
profkit callgraph --list-functions '/^r/' --format csv x.folded
