# Every fixture of folded stacks, written: sorted, merged, nothing said but repairs.
for f in "$TESTDATA"/folded/*.folded "$TESTDATA"/folded/*.txt; do
	echo "== ${f##*/}"
	profkit convert -q --to folded "$f" -
done
