# Call paths without values: nothing is written.
printf 'a 0\nb;c 0\n' > zero.folded
profkit convert -q zero.folded --to folded -o -
profkit convert -q zero.folded --to py-spy -o -
profkit convert -q zero.folded nothing.folded
wc -c <nothing.folded
