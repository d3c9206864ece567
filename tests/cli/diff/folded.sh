# As difffolded.pl writes, for whatever can be written as folded stacks.
printf 'main;at 0x7f33 3\nmain;b 1.5\nno count\nmain;b 1\n' >a.folded
printf 'main;at 0x55 12\nmain;c 2\n' >b.folded
profkit diff --format folded a.folded b.folded
echo
profkit diff --format folded --normalize --strip-hex a.folded b.folded
echo
profkit diff --format folded "$TESTDATA/diff/before.folded" "$TESTDATA/diff/after.folded"
echo
profkit diff --format folded "$TESTDATA/diff/before.prof" "$TESTDATA/diff/slower.prof"
echo
profkit diff --format folded --focus price a.folded "$TESTDATA/diff/after.folded" -- \
    "$TESTDATA/diff/before.folded" b.folded
profkit diff --format folded "$TESTDATA/diff/before.prof" b.folded || echo "status $?"
