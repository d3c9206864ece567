# A report of viztracer as a page; one without a trace; one that is compressed.
cd "$TESTDATA/chrome" || exit
profkit info page.html
status 2 profkit info bad/viewer.html
gzip -c page.html | profkit hotspots -n 1 -
profkit info bad/compressed.cvf
