# Folded stacks keep the bytes of names, also those that are not UTF-8: stacks stay apart, and
# come out as they went in, from texts and from profiles. Other notations are UTF-8.
printf 'main;a\xff\xc3b 10\nmain;caf\xc3\xa9 5\n' >a.folded
printf 'main;a\xff\xc3b 20\nmain;a\xfe\xc3b 7\n' >b.folded
profkit diff --format folded a.folded b.folded | od -An -c
profkit diff --format folded --metric samples a.folded b.folded | cmp - <(profkit diff --format folded a.folded b.folded)
profkit convert a.folded -o c.folded && cmp a.folded c.folded
profkit diff --format csv a.folded b.folded | iconv -f UTF-8 -t UTF-8 >/dev/null
