# Every box repeats the name of its file: very long ones are cut in the middle, numbers are as they were.
awk 'BEGIN {
    while (length(f) < 100000) f = f "/folder"
    print "events: Ir\nfl=short.c\nfn=g\n7 900\nfl=" f "/x.c"
    for (i = 0; i < 100; i++) print "fn=f" i "\n" i + 1 " 1"
}' >x.callgrind
profkit flamegraph x.callgrind -o x.svg
echo $(($(wc -c <x.svg) < 1000000))
grep -c '<title>f[0-9]* (/folder/.*….*/folder/x.c) (1 Ir, 0.10%)<' x.svg
profkit convert --to folded x.svg - 2>/dev/null | awk '{ sum += $NF } END { print NR, sum }'
profkit convert x.callgrind y.svg 2>&1 | grep -o 'y.svg.*cut'
