# Begins and ends that are cut, or whose other half is elsewhere: a slice read again has the numbers
# that the same selection gives for the whole.
check() {
    file=$1
    shift
    profkit hotspots -q --format csv "$@" $file | cut -d, -f1,6,8,9 >whole
    profkit slice "$@" $file -o part.json
    profkit hotspots -q --format csv part.json | cut -d, -f1,6,8,9 | diff whole - && cat whole
}
show() {
    profkit slice "$@" -o part.json
    profkit hotspots -q --format csv part.json | cut -d, -f1,6,8,9
}
# py-spy keeps one stack for a tid: the end of what a child began is under the pid of its parent.
cat >py-spy.json <<'EOS2'
[{"ph": "B", "cat": "py-spy", "pid": 1, "tid": 9, "ts": 0, "name": "process 1:\"a\"", "args": {"filename": "", "line": 0}},
 {"ph": "B", "cat": "py-spy", "pid": 1, "tid": 9, "ts": 0, "name": "main", "args": {"filename": "m.py", "line": 1}},
 {"ph": "B", "cat": "py-spy", "pid": 2, "tid": 9, "ts": 10, "name": "process 2:\"b\"", "args": {"filename": "", "line": 0}},
 {"ph": "B", "cat": "py-spy", "pid": 2, "tid": 9, "ts": 10, "name": "child", "args": {"filename": "m.py", "line": 2}},
 {"ph": "E", "cat": "py-spy", "pid": 1, "tid": 9, "ts": 50, "name": "child", "args": {"filename": "m.py", "line": 2}},
 {"ph": "E", "cat": "py-spy", "pid": 1, "tid": 9, "ts": 50, "name": "process 2:\"b\"", "args": {"filename": "", "line": 0}},
 {"ph": "E", "cat": "py-spy", "pid": 1, "tid": 9, "ts": 60, "name": "main", "args": {"filename": "m.py", "line": 1}},
 {"ph": "E", "cat": "py-spy", "pid": 1, "tid": 9, "ts": 60, "name": "process 1:\"a\"", "args": {"filename": "", "line": 0}}]
EOS2
echo "-- a part of the time"
check py-spy.json --time 20us..55us
echo "-- a function; its processes keep their names"
show --event child py-spy.json
profkit info -q part.json | grep '^thread'
# An end closes what is open within; that of inner is not in the file. What is open at the end of
# the first list goes on in the second. Begins at one time are nested as they stand.
cat >lists.json <<'EOS2'
[{"ph": "B", "pid": 1, "tid": 1, "ts": 0, "cat": "a", "name": "outer"},
 {"ph": "B", "pid": 1, "tid": 1, "ts": 10, "cat": "b", "name": "inner"},
 {"ph": "E", "pid": 1, "tid": 1, "ts": 40, "cat": "a", "name": "outer"},
 {"ph": "B", "pid": 1, "tid": 1, "ts": 50, "cat": "a", "name": "first"},
 {"ph": "B", "pid": 1, "tid": 1, "ts": 50, "cat": "b", "name": "second"},
 {"ph": "E", "pid": 1, "tid": 1, "ts": 50, "cat": "b", "name": "second"},
 {"ph": "B", "pid": 1, "tid": 1, "ts": 60, "cat": "b", "name": "third"}]
[{"ph": "E", "pid": 1, "tid": 1, "ts": 80, "cat": "b", "name": "third"},
 {"ph": "B", "pid": 1, "tid": 1, "ts": 85, "cat": "b", "name": "fourth"},
 {"ph": "E", "pid": 1, "tid": 1, "ts": 90, "cat": "b", "name": "none"}]
EOS2
echo "-- spans that end with others"
check lists.json --category b
echo "-- both lists, times with an edge in a span"
check lists.json --time 20us..70us
check lists.json --time 45us..
echo "-- spans that last"
show --longer-than 25us lists.json
# A begin whose end is not known yet stays before the span that begins and ends with it.
cat >beside.json <<'EOS2'
[{"ph": "B", "pid": 1, "tid": 1, "ts": 0, "name": "outer"},
 {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 10, "name": "inner"},
 {"ph": "E", "pid": 1, "tid": 1, "ts": 10, "name": "outer"}]
EOS2
show --longer-than 5us beside.json
# Spans that fill the time are alike when they are cut: the order of the file tells the outer one.
cat >deep.json <<'EOS2'
[{"ph": "X", "pid": 1, "tid": 1, "ts": 12, "dur": 30, "name": "inner"},
 {"ph": "X", "pid": 1, "tid": 1, "ts": 10, "dur": 40, "name": "middle"},
 {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 60, "name": "outer"}]
EOS2
echo "-- spans that fill the time"
check deep.json --time 12us..40us
# As in profiles, the name of an event is that of the function, without the file.
echo "-- events by the name of their function"
cat >viztracer.json <<'EOS2'
{"viztracer_metadata": {"version": "1.0"}, "traceEvents": [
 {"ph": "X", "cat": "FEE", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "name": "load (/srv/run.py:1)"},
 {"ph": "X", "cat": "FEE", "pid": 1, "tid": 1, "ts": 0, "dur": 5, "name": "run (/srv/load.py:1)"}]}
EOS2
show --event '^load$' viztracer.json
