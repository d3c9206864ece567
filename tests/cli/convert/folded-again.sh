# A written file is read as the profile that it was written from: only names that end in a number change.
for f in "$TESTDATA"/folded/*.folded "$TESTDATA"/folded/*.txt; do
	profkit convert -q -O fractions --to folded "$f" -o a.folded
	profkit convert -q -f folded -O fractions --to folded a.folded -o b.folded
	cmp a.folded b.folded
done
