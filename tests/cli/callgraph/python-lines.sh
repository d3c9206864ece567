# py-spy writes the current line into names: a part of the path, of the function where lines are asked for.
cat >x.folded <<'FOLDED'
<module> (app/main.py:9);run (app/main.py:3) 1
<module> (app/main.py:9);run (app/main.py:4) 2
FOLDED
profkit callgraph --no-legend x.folded | grep -o 'label="[^"]*"'
echo == lines
profkit callgraph --no-legend --granularity line x.folded | grep -o 'label="[^"]*"'
