# The text of sources within a trace: kept where it can be, never lost without a word.
profkit convert --to chrome "$TESTDATA/chrome/page.html" part.json
profkit convert --to json part.json - | grep -A2 '"source": {'
profkit info part.json | grep sources
profkit slice --event show part.json smaller.json
profkit info smaller.json | grep sources
profkit store add all.profkit "$TESTDATA/chrome/viztracer.json"
profkit convert --to chrome all.profkit again.json && grep -c '"file_info":{"files"' again.json
profkit query all.profkit 'SELECT count(*) FROM source'
profkit convert --to folded "$TESTDATA/chrome/viztracer.json" - >/dev/null
