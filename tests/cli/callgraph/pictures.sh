printf 'main;a;b 3\nmain;c 1\n' >x.folded
profkit callgraph x.folded -o x.svg && grep -c '<text.*>75.00%</text>' x.svg
profkit callgraph x.folded -o x.svg.gz && zcat x.svg.gz | cmp - x.svg
profkit callgraph x.folded --to png | head -c 4 | od -c | head -1
profkit callgraph x.folded -o x.pdf && head -c 5 x.pdf && echo
profkit callgraph x.folded -o x.gv && head -1 x.gv
profkit convert x.folded y.dot && cmp x.gv y.dot
