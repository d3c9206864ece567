# The strongest color is that of the greatest change, also if its function is gone; one sample is "1 sample".
printf 'a;b 10\na;c 10\n' >before.folded
printf 'a;c 12\n' >after.folded
profkit callgraph --diff before.folded after.folded | sed -n 's/.*fillcolor="\(#[^"]*\)".*label="\([a-c]\)\\n.*/\2 \1/p'
for count in 1 2; do
    printf 'a %d\n' $count | profkit callgraph -f folded - | grep -o '100% = [^\\]*'
done
