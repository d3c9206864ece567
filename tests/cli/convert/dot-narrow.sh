# A call graph leaves out functions and arrows: a conversion says so; callgraph says it in the legend.
awk 'BEGIN { print "main;a 100000"; print "main;b 1"; print "main;c;d 1" }' >x.folded
profkit convert x.folded x.dot
grep -o 'left out[^\\]*' x.dot
profkit convert -O node-thres=0 x.folded all.dot
profkit convert -O limit=1 -O node-thres=0 x.folded one.dot
printf 'main;a;b 5\nmain;b;a 3\nmain;c;a 1\n' >y.folded
profkit convert -O arrows=2 y.folded two.dot
profkit callgraph x.folded -o y.dot
