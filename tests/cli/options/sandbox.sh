# In the sandbox the outputs are the same, and nothing but them is written.
if ! profkit info --sandbox "$TESTDATA/example/before.prof" >/dev/null 2>why; then
	cat why
	exit 77
fi
if ! profkit --version | grep -q 'Sandbox: by default'; then
	echo "what watches this build asks more of the system"
	exit 77
fi
if [ -n "${COVERAGE-}" ]; then
	echo "gcov writes its files at the end, and may not"
	exit 77
fi
cp "$TESTDATA/example/before.prof" a.prof
gzip -n <"$TESTDATA/example/orders.folded" >b.folded.gz
for format in folded pstats speedscope json csv dot flamegraph store; do
	profkit convert -q --to $format a.prof one
	profkit convert -q --sandbox -j 2 --to $format a.prof two
	cmp one two
	rm one two
done
# Fonts are found in the sandbox as well: labels have the same sizes.
for picture in svg png pdf; do
	profkit callgraph -q --no-sandbox a.prof -o one.$picture
	profkit callgraph -q --sandbox a.prof -o two.$picture
	cmp <(sed '/\/CreationDate/d' one.$picture) <(sed '/\/CreationDate/d' two.$picture)
done
rm one.* two.* why
profkit store -q add --sandbox runs.db a.prof
profkit store -q add --sandbox runs.db b.folded.gz
profkit store --sandbox list runs.db --format csv
profkit query --sandbox runs.db 'SELECT count(*) FROM function_cost'
status 2 profkit query --sandbox a.prof 'SELECT 1' -o none/out.txt
profkit callgraph --sandbox -q a.prof -o a.svg
profkit check -q --sandbox -b a.prof a.prof --report junit=report.xml >/dev/null
# However a file is named, it can be read.
cp a.prof c.prof
for baseline in '-b c.prof' -bc.prof --baseline=c.prof '--baseline c.prof' -bruns.db@a.prof '-b runs.db@1'; do
	profkit check -q --sandbox $baseline a.prof >/dev/null || echo "$baseline: status $?"
done
rm c.prof
ls -A
