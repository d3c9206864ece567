# Memory of which the largest value counts: of several runs the tree has the largest, a table the median, parts the mean of the runs.
table() { # MIB MIB: memory in the lines of a function
    cat <<END
Filename: program.py

Line #    Mem usage    Increment  Occurrences   Line Contents
=============================================================
    11  $1.000000 MiB  $1.000000 MiB           1   @profile
    12                                         def fill(count):
    13  $2.000000 MiB   2.000000 MiB           1       return bytearray(count)

END
}
table 20 30 >a1.txt
table 20 36 >a2.txt
table 20 50 >b1.txt
table 20 58 >b2.txt
profkit diff -q --view tree a1.txt a2.txt -- b1.txt b2.txt | tail -n 2
profkit diff -q a1.txt a2.txt -- b1.txt b2.txt | tail -n 2
for side in a b; do profkit reduce -q -o $side.db "$side"1.txt "$side"2.txt; done
profkit diff -q --measure total a.db b.db | tail -n 2
