# Reports that cannot be written: none is.
cp "$TESTDATA/example/before.prof" a.prof
echo kept >one.xml
profkit check -q --baseline a.prof a.prof --report junit=one.xml --report json=none/x.json || echo "status $?"
cat one.xml
ls
