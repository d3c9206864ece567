# The callee of a total that is unclear is named if the total differs by more than 0.5 % of the whole: here by 0.6 and by 0.4 %.
runs() { # SIDE, SELF of g in each run
    local i=0
    for self in 80000 120000 95000 105000 110000 90000; do
        i=$((i + 1))
        printf 'main;f %d\nmain;f;g %d\nmain;rest %d\n' $self $(($2 + i)) $((892000 - i * 7)) >$1$i.folded
    done
}
runs a 5000
for after in 11000 9000; do
    runs b $after
    profkit diff -q --measure total --match '^[fg]$' --format csv a?.folded -- b?.folded | cut -d, -f 1,5-7,14-
done
