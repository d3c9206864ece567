# A place is all functions of its line, in all files of this name, and no line that begins with the same digits.
cat >x.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main","file":"src/b.py","line":1},
{"name":"<lambda>","file":"src/a.py","line":5},{"name":"f","file":"src/a.py","line":5},{"name":"g","file":"src/a.py","line":51},
{"name":"h","file":"other/a.py","line":5},{"name":"i","file":"aa.py","line":5}]},"profiles":[{"type":"sampled","name":"x","unit":"none",
"startValue":0,"endValue":15,"samples":[[0,1],[0,2],[0,3],[0,4],[0,5]],"weights":[1,2,3,4,5]}]}
END
profkit callers a.py:5 x.json
profkit callees src/a.py:5 x.json
profkit callers 'a.py:5.' x.json
