# A line break in the name of a file does not break headings.
cp "$TESTDATA/folded/one-frame.folded" $'a\nb.folded'
cp "$TESTDATA/workers/chunks.json" $'a\nb.json'
profkit $'a\nb.folded' | head -n 2
profkit hotspots $'a\nb.folded' | head -n 1
profkit diff -q $'a\nb.folded' $'a\nb.folded' | head -n 2
profkit diff -q --view tree $'a\nb.folded' $'a\nb.folded' | head -n 2
profkit check -b $'a\nb.folded' $'a\nb.folded' | head -n 3
profkit workers $'a\nb.json' | head -n 2
