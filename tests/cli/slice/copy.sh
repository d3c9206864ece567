# The text of events is copied: numbers, arguments and unknown keys stay as they are.
cat >in.json <<'EOS'
{"schemaVersion": 1,
 "traceEvents": [
  {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "pool"}},
  {"ph": "X", "pid": 1, "tid": 2, "ts": 100, "dur": 100, "name": "outer", "args": {"a": [1, {"b": "}"}]}},
  {"ph": "X", "pid": 1, "tid": 2, "ts": 110.0, "dur": 10.0, "name": "in\"ner", "odd": {"x": 1e5}},
  {"ph": "X", "pid": 1, "tid": "2", "ts": "130", "dur": "60", "name": "long", "cat": "k"},,
  {"ph": "s", "pid": 1, "tid": 2, "ts": 112, "id": 1, "cat": "f", "name": "f"},
  {"ph": "f", "pid": 1, "tid": 2, "ts": 131, "id": 1, "cat": "f", "name": "f", "bp": "e"},
  {"ph": "s", "pid": 1, "tid": 2, "ts": 113, "id": 2, "cat": "f", "name": "f"},
  {"ph": "f", "pid": 1, "tid": 2, "ts": 190, "id": 2, "cat": "f", "name": "f"},
  {"ph": "B", "pid": 1, "tid": 3, "ts": 90, "name": "early"},
  {"ph": "E", "pid": 1, "tid": 3, "ts": 105, "name": "early"},
  {"ph": "B", "pid": 1, "tid": 3, "ts": 106, "name": "over"},
  {"ph": "B", "pid": 1, "tid": 3, "ts": 120, "name": "loose"},
  {"ph": "C", "pid": 1, "ts": 115, "name": "c", "args": {"v": 1}},
  {"ph": "C", "pid": 1, "ts": 195, "name": "c", "args": {"v": 2}}
 ],
 "last": "kept"}
EOS
profkit slice --time 18us..50us in.json out.json
cat out.json
echo "-- the same numbers"
profkit hotspots -q --format csv --time 18us..50us in.json | cut -d, -f1,6,8,9 >whole
profkit hotspots -q --format csv out.json | cut -d, -f1,6,8,9 | diff whole -
echo "-- whole"
profkit slice --whole --time 18us..50us --thread pool in.json -t chrome | grep -c '"dur": 100'
echo "-- long ones"
profkit slice --longer-than 50us in.json -t chrome | grep '"X"'
echo "-- other formats, and events that are out of order"
profkit slice -q --event over in.json -t folded
sed '/early/d; s/"ts": 106/"ts": 121/' in.json >unsorted.json
profkit slice -q --event 'over|loose' unsorted.json -t chrome | grep '"X"'
profkit slice --time 1us..2us --category none in.json -o none.json
status 1 grep -c '"X"' none.json
profkit slice --longer-than '5 parsecs' in.json out.json
