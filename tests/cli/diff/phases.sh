# Samples of a function that come in phases say less than as many that are spread: the interval is wider.
perf() { # from 0 to 1 s: 400 samples, of these $1 of each ten are f's, at the begin of ten ($2 = 1) or of all
    for i in {0..399}; do
        name=g
        [ $((i / ($2) % 10)) -ge "$1" ] || name=f
        printf 'w 1/1 [000] %d.%06d: 1 cycles:\n\t55 %s+0x1 (/srv/w)\n\n' $((i / 400)) $((i * 2500)) $name
    done
}
for length in 1 40; do
    perf 3 $length >a.perf
    perf 6 $length >b.perf
    profkit diff a.perf b.perf | sed -n '/^before  /,$p'
done
