# How cost is shared among functions: two have most of it, half of it needs many, or neither.
few() { # HOT
	seq -f 'f%g 10' 90
	printf 'hot %d\nwarm %d\n' "$1" "$1"
}
for cost in 5000 10 400; do
	few $cost >x.folded
	profkit brief x.folded | sed -n '/^unusual/,/^uncertain/p'
done
