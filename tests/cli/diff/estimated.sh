# Values of an estimated call tree are marked, in the table and in a history, for people and for scripts.
cd "$TESTDATA/diff"
profkit diff -q --focus load before.prof slower.prof
profkit diff -q --focus load --format csv before.prof slower.prof | cut -d, -f 1,7,16
profkit diff -q --format csv before.prof slower.prof | cut -d, -f 1,7,16 | head -n 2
for file in before slower; do profkit store add -q "$OLDPWD/runs.db" $file.prof; done
profkit history -q --focus load "$OLDPWD/runs.db" tokenise
profkit history -q "$OLDPWD/runs.db" tokenise
profkit history -q --focus load --format csv "$OLDPWD/runs.db" tokenise | cut -d, -f 1,5,10
