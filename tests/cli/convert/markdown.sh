# The table of hotspots as Markdown, by the suffix of the output.
profkit convert -q "$TESTDATA/example/before.prof" functions.md && head -n 6 functions.md
profkit convert "$TESTDATA/example/before.prof" -O sort=calls other.markdown && sed -n 5,6p other.markdown
profkit hotspots --format markdown --limit 0 "$TESTDATA/example/before.prof" | sed 1,2d >all.md
sed 1,2d functions.md | cmp - all.md
status 2 profkit convert -O metric=nonsense "$TESTDATA/example/before.prof" x.md
