# py-spy writes the current line into names: a function all the same, unless lines are asked for.
cat >x.folded <<'FOLDED'
<module> (app/main.py:9);run (app/main.py:3) 1
<module> (app/main.py:9);run (app/main.py:4) 2
FOLDED
profkit callgraph --no-legend x.folded | grep -o 'label="[^"]*"'
echo == lines
profkit callgraph --no-legend --granularity line x.folded | grep -o 'label="[^"]*"'
