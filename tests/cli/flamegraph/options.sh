# What the options of flamegraph.pl and inferno do to the boxes.
printf 'a;b;c 5\na;b 1\na;d 3\ne;b;c 1\n' >in.folded
draw() {
    echo "$*"
    profkit flamegraph "$@" in.folded | sed -n 's/.*<title>\([^<]*\).*<rect x="\([^"]*\)"[^>]* y="\([^"]*\)".*/\1 x=\2 y=\3/p'
}
draw --minwidth 20%
draw --inverted --height 20 --fontsize 10 --subtitle s
draw --icicle --countname things --factor 1000
draw --reverse
draw --base b
draw --base b --base d --total 20
draw --chart
draw --chart --reverse
