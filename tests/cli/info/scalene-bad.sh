# Profiles of scalene that cannot be read, and why: one that is cut off has lost its lines; it did not lack them.
for case in cut.json nothing.json child.json; do
    status 2 profkit info -f scalene "$TESTDATA/scalene/bad/$case"
done
