# Paths become samples, depth first; equal frames are one, over all inputs.
printf 'main;work 3\nmain;work;len 2\nmain 1\nmain;"q" 4\n' >a.folded
printf 'main;work 7\n' >b.folded
profkit convert a.folded b.folded --to speedscope - | sed 's/profkit@[0-9.]*/profkit@VERSION/'
