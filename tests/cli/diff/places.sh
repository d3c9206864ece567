# Another folder, another name of the file, another version of Python: the same functions.
cd "$TESTDATA/diff" && for after in elsewhere file; do
    profkit diff --no-changed --format csv before.prof $after.prof
done
profkit diff --fail-on inconclusive python3.11.prof python3.12.prof
