# The facts that a program needs: what the profile is, where the time goes, what is unusual and uncertain, and which commands show
# more.
cd "$TESTDATA/example"
profkit brief before.prof
# In few words.
profkit brief --budget 120 before.prof
# Options of reading and filters are in the commands, names of files are quoted.
cp before.prof "$OLDPWD/a b.prof"
cd "$OLDPWD"
profkit brief --focus parse 'a b.prof' | grep '^profkit callers'
