# A call graph leaves out functions: a conversion says so; callgraph says it in the legend.
awk 'BEGIN { print "main;a 100000"; print "main;b 1"; print "main;c;d 1" }' >x.folded
profkit convert x.folded x.dot
grep -o 'left out[^\\]*' x.dot
profkit convert -O node-thres=0 x.folded all.dot
profkit convert -O limit=1 -O node-thres=0 x.folded one.dot
profkit callgraph x.folded -o y.dot
