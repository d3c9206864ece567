# Values of an estimated call tree are marked, in the table and in a history.
cd "$TESTDATA/diff"
profkit diff -q --focus load before.prof slower.prof
for file in before slower; do profkit store add -q "$OLDPWD/runs.db" $file.prof; done
profkit history -q --focus load "$OLDPWD/runs.db" tokenise
profkit history -q "$OLDPWD/runs.db" tokenise
