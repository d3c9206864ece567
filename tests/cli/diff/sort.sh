# a and b are in both and differ little for so few samples, c grew, d is gone, e is new; m has
# nothing of its own.
printf 'm;a 100\nm;b 50\nm;c 10\nm;d 40\n' >before.folded
printf 'm;a 50\nm;b 80\nm;c 40\nm;e 20\n' >after.folded
for column in delta before after ratio verdict name; do
    printf '%s:' $column
    profkit diff -q --sort $column --format csv before.folded after.folded |
        awk -F, 'NR > 1 { printf " %s=%s>%s", $1, $5, $6 } END { print "" }'
done
printf 'name, reversed:'
profkit diff -q --sort name -r --format csv before.folded after.folded | awk -F, 'NR > 1 { printf " %s", $1 } END { print "" }'
printf 'only c, d and e:'
profkit diff -q --match '^[c-e]$' --format csv before.folded after.folded | awk -F, 'NR > 1 { printf " %s", $1 } END { print "" }'
printf 'a quarter of a side or more:'
profkit diff -q --min-share 25 --format csv before.folded after.folded | awk -F, 'NR > 1 { printf " %s", $1 } END { print "" }'
# Several runs on each side: what is least likely chance comes first.
for i in 1 2 3 4 5; do
    printf 'm;a 10%s\nm;b 50%s\nm;c 9%s\n' $i $((6 - i)) $i >b$i.folded
    printf 'm;a 10%s\nm;b 58%s\nm;c 9%s\n' $((6 - i)) $i $((i % 3 + 3)) >a$i.folded
done
printf 'p:'
profkit diff -q --sort p --format csv b?.folded -- a?.folded | awk -F, 'NR > 1 { printf " %s", $1 } END { print "" }'
