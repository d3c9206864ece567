# Colors by name, by chance, by width, and kept in a file.
printf 'main 6\n-;x 3\n--;x 1\n' >in.folded
fills() {
    echo "$*"
    profkit flamegraph "$@" in.folded | sed -n 's/.*<title>\([^ ]*\) .*fill="\(#[^"]*\)".*/\1 \2/p' | tr '\n' ' '
    echo
}
for palette in hot mem io red green blue aqua yellow purple orange safe wakeup chain; do
    fills --colors $palette
done
fills --hash
fills --deterministic
fills --random
fills --random
fills --colordiffusion
printf 'main->rgb(1,2,3)\nz->rgb(0,0,0)\n' >palette.map
fills --cp
cat palette.map
fills --palette-map other.map --colors blue
cat other.map
