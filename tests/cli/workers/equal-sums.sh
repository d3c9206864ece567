# Different runs may have equal sums: they are two workers, not one that was given twice.
printf 'a;b 3\n' >one.folded
printf 'a;b 3\n' >two.folded
profkit workers --format csv one.folded two.folded
