# Less than the program itself takes: it must say so, not crash.
if [ -n "${SANITIZE-}" ]; then
    echo "the sanitizers need more memory than any limit of use"
    exit 77
fi
profkit info --max-memory 1k "$TESTDATA/example/before.prof"
