#!/bin/bash
# Makes the fixtures of this folder: every one is written out here.
set -e
cd "$(dirname "$0")"
schema='"$schema":"https://www.speedscope.app/file-format-schema.json"'

# file NAME EXPORTER PROFILES FRAMES
file()
{
	printf '{%s,"exporter":"%s","name":"%s","activeProfileIndex":0,"shared":{"frames":[%s]},"profiles":[%s]}\n' \
		"$schema" "$2" "title of $1" "$4" "$3" >"$1.speedscope.json"
}

# sampled NAME UNIT START END SAMPLES WEIGHTS, evented NAME UNIT START END EVENTS
sampled()
{
	printf '{"type":"sampled","name":"%s","unit":"%s","startValue":%s,"endValue":%s,"samples":[%s],"weights":[%s]}' "$@"
}
evented()
{
	printf '{"type":"evented","name":"%s","unit":"%s","startValue":%s,"endValue":%s,"events":[%s]}' "$@"
}

# events O0@1 C0@2.5 ...
events()
{
	local e type rest separator=
	for e; do
		type=${e:0:1} rest=${e:1}
		printf '%s{"type":"%s","frame":%s,"at":%s}' "$separator" "$type" "${rest%@*}" "${rest#*@}"
		separator=,
	done
}
names='{"name":"a"},{"name":"b"},{"name":"c"}'

file sampled 'tool@1.0' "$(sampled main milliseconds 10 17 '[0],[0,1],[],[0,1,2],[0,1]' 1,2.5,1,0,2.5)" \
	'{"name":"main","file":"/src/app.py","line":12,"col":3},{"name":"work","file":"lib.c"},{"name":"len"}'
file evented 'tool@1.0' "$(evented main microseconds 100 110 \
	"$(events O0@100 O1@101 O2@101.5 C2@104 C1@104 O1@106 C1@107.25 C0@109)")" "$names"
file units 'tool@1.0' "$(sampled cpu seconds 0 3 '[0,1],[0]' 1,2),$(sampled cpu bytes 0 300 '[0,1],[0,2]' 100,200),$(
	sampled cpu none 0 2 '[0,1],[0,2]' 1,1),$(sampled cpu none 0 3 '[0,1],[2]' 1,2),$(
	evented io nanoseconds 5 9 "$(events O0@5 C0@9)")" "$names"
file fractions 'tool@1.0' "$(sampled t seconds 0 0.01 '[0],[0],[1]' 0.0033333333333333335,0.0033333333333333335,3e-3),$(
	sampled n none 0 1.75 '[0],[1],[2]' 0.5,1.25,1e-9)" "$names"
# Two entries are one frame; two with the same name are not.
file frames 'tool@1.0' "$(sampled t none 0 10 '[0,1],[0,2],[3,1],[4,1],[0,5]' 1,2,3,4,5)" \
	'{"name":"a","file":"x"},{"name":"b","line":null,"col":null},{"name":"b","line":7},{"name":"a","file":"x"},{"name":"a","file":""},{"name":"a\u0041\u00e9 \"q\"","file":"C:\\x"}'

# As py-spy writes: frames last, threads of processes, gaps left out; frames that are a process or a
# thread; the line that was running in a function, not the one where it begins.
printf '{%s,"profiles":[%s,%s,%s],"shared":{"frames":[%s]},"activeProfileIndex":null,"exporter":"py-spy@0.4.3","name":"py-spy profile"}' \
	"$schema" \
	"$(sampled 'Process 12 Thread 0x7F01 \"MainThread\"' seconds 0.0 0.05 '[3,1,0],[3,1,4],[],[3,1,0,2],[3,1]' 0.01,0.01,0.01,0.01,0.01)" \
	"$(sampled 'Process 12 Thread 34 \"a \"b\" c\"' seconds 0.0 0.01 '[1,2]' 0.01)" \
	"$(sampled 'Thread 56' seconds 0.0 0.01 '[0]' 0.01)" \
	'{"name":"main","file":"app.py","line":3,"col":null},{"name":"thread (34)","file":"","line":0,"col":null},{"name":"f","file":"<frozen x>","line":1},{"name":"process 12:\"app --fast\"","file":"","line":0},{"name":"main","file":"app.py","line":4}' \
	>frames-last.speedscope.json

# Keys in the order of the alphabet: the unit comes after the events.
python3 -c 'import json, sys
print(json.dumps(json.load(open("evented.speedscope.json")), sort_keys=True, indent=1))' \
	>sorted-keys.speedscope.json

file unbalanced 'tool@1.0' "$(evented t none 0 20 "$(
	events O0@0 O1@2 O2@3 C1@5 C2@6 C9@6 O2@7 C2@6 O7@8 O0@10)")" "$names"
file weights 'tool@1.0' "$(sampled short none 0 3 '[0],[1]' 1,2,4),$(sampled long none 0 3 '[0],[1],[2]' 1,2),$(
	sampled bad none 0 3 '[0],[1],[2],[9],[0,null]' -1,NaN,null,5,6)" "$names"
file lenient 'tool@1.0' "$(sampled t none 0 3 '[0,1,],[0]' 1,2,)" "$names,"

cd bad
printf '{%s,"profiles":[%s]}' "$schema" "$(sampled t none 0 1 '[0]' 1)" >no-frames.speedscope.json
printf '{%s,"shared":{"frames":[]},"profiles":[]}' "$schema" >no-profiles.speedscope.json
printf '{%s,"shared":{"frames":3},"profiles":[]}' "$schema" >frames.speedscope.json
printf '{%s,"profiles":[{"samples":{}}]}' "$schema" >samples.speedscope.json
printf '{%s,"profiles":[{"type":"sampled","startValue":0,"samples":[[0],[' "$schema" >cut.speedscope.json
printf '{%s,"profiles" 3' "$schema" >no-json.speedscope.json
