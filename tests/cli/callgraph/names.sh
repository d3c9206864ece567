# Names that mean something to Graphviz are shown as they are.
printf 'main;q"uote 1\nmain;back\\slash 1\nmain;tail\\ 1\nmain;\\N\\l 1\nmain;<b>x</b> 1\nmain;<x 1\n' >names.folded
printf 'main;a&&b 1\nmain;graph 1\nmain;\033[31m 1\nmain;\377 1\nmain;"]} 1\nmain;;last 1\n' >>names.folded
profkit callgraph --no-legend --node-label self-time-percentage names.folded
