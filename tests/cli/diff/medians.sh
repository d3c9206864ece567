# A median that falls beside a ratio above 1: the title says where either comes from.
for i in 1 2 3 4 5 6; do printf 'main;f %d\nmain;g 1000\n' $((i <= 3 ? 200 + i : 900 + i)) >a$i.folded; done
for i in 1 2 3 4 5 6; do printf 'main;f %d\nmain;g 1000\n' $((i <= 4 ? 300 + i : 1900 + i)) >b$i.folded; done
profkit diff a*.folded -- b*.folded
# A ratio on the same side of 1 that is far from that of the medians is one of these, too.
for i in 1 2 3 4 5 6; do
    printf 'main;f %d\nmain;g 1000\n' $((100 + i)) >c$i.folded
    printf 'main;f %d\nmain;g 1000\n' $((i <= 3 ? 180 + i : 900 + i)) >d$i.folded
done
profkit diff c*.folded -- d*.folded
