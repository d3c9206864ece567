# JSON that profkit wrote is called so, although a metric has the name of a key of speedscope.
profkit convert "$TESTDATA/folded/annotations.folded" -o x.profkit.json
status 2 profkit info x.profkit.json
profkit hotspots "$TESTDATA/folded/annotations.folded" --format json >h.json
status 2 profkit info h.json
profkit report "$TESTDATA/folded/annotations.folded" -o r.html
status 2 profkit info r.html
