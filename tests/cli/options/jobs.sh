# However many threads read, the result and the message are the same.
cd "$TESTDATA/example" || exit
profkit info -j 1 before.prof after.prof before.prof >"$OLDPWD/one"
profkit info -j 8 before.prof after.prof before.prof | cmp - "$OLDPWD/one"
status 2 profkit info -j 8 before.prof nope1 nope2
profkit info -j 0 before.prof
