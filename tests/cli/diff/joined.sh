# Copies of a function that a compiler made are one function, with the calls of all.
printf 'main;work.part.0 1000\nmain;work.part.1 500\nmain;rest 3000\n' >a.folded
printf 'main;work.part.0 2000\nmain;work.part.2 1500\nmain;rest 3000\n' >b.folded
for side in a b; do profkit convert -q $side.folded $side.prof; done
profkit diff --measure total a.prof b.prof
