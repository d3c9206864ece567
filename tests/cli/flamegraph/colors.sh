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
# A name of two lines could not be read back; those behind it are kept.
cat >lines.speedscope.json <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "a\nb"}, {"name": "c"}]},
 "profiles": [{"type": "sampled", "name": "", "unit": "none", "startValue": 0, "endValue": 2, "samples": [[0], [1]], "weights": [1, 1]}]}
END
profkit flamegraph --palette-map lines.map -o lines.svg lines.speedscope.json
cat lines.map
