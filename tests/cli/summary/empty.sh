# A file in which nothing was recorded says so, and what can be done with it; marks are something.
echo '{"traceEvents": []}' >empty.json
profkit empty.json
echo '[{"ph": "i", "name": "a mark", "pid": 1, "tid": 1, "ts": 1}]' >marks.json
profkit marks.json
