# If one of several reports cannot be written, none is.
cp "$TESTDATA/example/before.prof" a.prof
echo kept >one.xml
profkit check -q --baseline a.prof a.prof --report junit=one.xml --report json=none/x.json || echo "status $?"
cat one.xml
ls
# The interval of a ratio of two runs can end at 10^10.
for value in 1 500 1000 50000000; do
	printf 'main;f 100000\nmain;g %d\n' $value >$value.folded
done
profkit check --fail 'self(g)>5%' --baseline 1.folded --baseline 500.folded 1000.folded 50000000.folded --format csv | cut -d, -f 11-
