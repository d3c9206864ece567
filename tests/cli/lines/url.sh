# JavaScript names its files by URLs.
printf 'let x = 1\nfor (;;) x++\nlet y\n' >'a b.js'
cat >x.cpuprofile <<EOF
{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "children": [2]},
 {"id": 2, "callFrame": {"functionName": "f", "url": "file://$PWD/a%20b.js", "lineNumber": 0}, "hitCount": 4,
  "positionTicks": [{"line": 1, "ticks": 1}, {"line": 2, "ticks": 3}]}],
 "startTime": 0, "endTime": 400, "samples": [2, 2, 2, 2], "timeDeltas": [0, 100, 100, 100]}
EOF
profkit lines -q x.cpuprofile | sed "s,$PWD,DIR,"
