# The last sample needs no empty line, records before the first lose nothing, a comm may be any text.
cd "$TESTDATA/perf-script" || exit
for file in comms odd records inlined; do
    echo "$file"
    profkit convert -q --to folded -O comm "$file.perf" -
done
echo 'without inlined functions'
cd - >/dev/null
profkit convert -q -O no-inline --to folded "$TESTDATA/perf-script/inlined.perf" -
