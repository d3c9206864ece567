# What a small page has in it: plain JSON, call paths in the order of a walk.
printf 'main;work;sort 30\nmain;work 5\nmain;<b> 7\n' >x.folded
profkit report x.folded | sed -n 's/.*id="data">//p' | sed 's/"profkit":"[^"]*"/"profkit":VERSION/'
