# Costs of lines of callgrind: code from another file is a function of its own in that file; the sources as
# callgrind_annotate shows them.
mkdir src
cp "$TESTDATA/callgrind/parse.c" src
cp "$TESTDATA/callgrind/plain.out" .
profkit lines --source . plain.out parse
profkit lines --like callgrind_annotate --source . --context 0 plain.out | sed -n '/annotated source/,$p'
