# A file that does not say when things happened: a message, nothing is written.
profkit timeline "$TESTDATA/example/before.prof" || echo "status $?"
echo old >t.svg
status 2 profkit timeline "$TESTDATA/example/before.prof" -o t.svg
cat t.svg
profkit timeline --width 20 "$TESTDATA/speedscope/evented.speedscope.json"
