# Values of one side have fractions: they are compared in the finer unit. Copies of a function, which compilers number, are one row,
# whose total does not count calls between them twice: of a 5 + 3 and 6 + 3, after it 7.5 + 4 and 8.5 + 4. The same from runs and
# from parts.
before() { printf 'main;a.constprop.0 %s\nmain;a.constprop.0;a.constprop.1 3\nmain;g 7\n' "$1"; }
after() { printf 'main;a.constprop.0 %s\nmain;a.constprop.0;a.constprop.1 4\nmain;g 7\nmain;h 0.25\n' "$1"; }
before 5 >b1.folded
before 6 >b2.folded
after 7.5 >a1.folded
after 8.5 >a2.folded
profkit reduce -q -o b.db b1.folded b2.folded
profkit reduce -q -o a.db a1.folded a2.folded
for measure in self total; do
    for files in 'b1.folded a1.folded' 'a1.folded b1.folded' 'b1.folded b2.folded -- a1.folded a2.folded' 'b.db a.db'; do
        echo "== $measure: $files"
        # shellcheck disable=SC2086
        profkit diff -q --format csv --sort name --measure $measure $files | cut -d, -f 1,5-8
    done
done
