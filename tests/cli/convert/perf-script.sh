# The last sample needs no empty line, records before the first sample are not lost, a comm may be any text.
cd "$TESTDATA/perf-script" || exit
for file in comms odd records inlined; do
    echo "$file"
    profkit convert -q --to folded -O comm "$file.perf" -
done
echo 'without inlined functions'
cd - >/dev/null
profkit convert -q -O no-inline --to folded "$TESTDATA/perf-script/inlined.perf" -
echo 'blanks of a name'
echo '[{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":" a b"}},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":0.003,"name":"f"}]' >trace.json
profkit convert -q -O comm --to folded trace.json -
