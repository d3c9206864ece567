# py-spy writes the current line into names: a part of the path, of the function where lines are asked for.
cat >x.folded <<'FOLDED'
<module> (app/main.py:9);run (app/main.py:3) 1
<module> (app/main.py:9);run (app/main.py:4) 2
FOLDED
profkit callgraph --no-legend x.folded | grep -o 'label="[^"]*"'
echo == lines
profkit callgraph --no-legend --granularity line x.folded | grep -o 'label="[^"]*"'
# So it is where only some names have a line.
echo == some
printf 'main;run (app/main.py:3) 1\nmain;run (app/main.py:4) 2\n' >y.folded
profkit callgraph --no-legend y.folded | grep -o 'label="[^"]*"'
