# Shares instead of values: then formats and units may differ.
cd "$TESTDATA/diff" && profkit diff --normalize before.prof after.folded
profkit diff --normalize --format json before.prof after.folded | grep '"scale"'
# Values below 0 are scaled like others.
cd "$OLDPWD"
for factor in 1 2; do
    python3 -c 'import marshal, sys
n = float(sys.argv[1])
marshal.dump({("a.py", i, name): (1, 1, s * n, s * n, {}) for i, name, s in ((1, "f", 5.0), (2, "g", -1.0))}, sys.stdout.buffer)' $factor >$factor.prof
done
profkit diff -q --normalize --no-changed 1.prof 2.prof
