#!/bin/bash
# Makes the fixtures of this folder: every one is written out here.
set -e
cd "$(dirname "$0")"

printf '%s\n' '# austin: 3.7.0' '# interval: 300' '# mode: wall' '# multiprocess: on' '' 'P70;T0:70 613' \
	'P70;T0:70;/srv/a b.py:<module>:40;/usr/lib/asyncio/runners.py:run:189 373' \
	'P70;T0:70;/srv/a b.py:<module>:40;/usr/lib/asyncio/runners.py:run:189;:GC: 372' \
	'P70;T0:71;/srv/a b.py:<module>:41;/srv/a b.py:Basket.total.<locals>.<genexpr>:7 0' \
	'P70;T0:71;:INVALID: 9' 'P70;T0:71;C:\x.py:f:;:GC:0 5' 'P72;T-1:72;<frozen site>:main:618 1000' '' \
	'# duration: 174914' '# gc: 372' 'P70;T0:70 2' >wall.austin

printf '%s\n' '# austin: 3.7.0' '# mode: cpu' 'P70;T70;a.py:f:1 300' 'P70;T70;a.py:f:2 200' >cpu.austin

# Two threads in rounds; then a process, whose second round ends 290 us after the first thread began.
rounds() {
	printf '%s\n' '# austin: 3.7.0' '# interval: 100' "# mode: $1" 'P70;T0:70;a.py:f:1 100' 'P70;T0:70;a.py:f:1 100' \
		'P70;T0:71;a.py:g:5 50' 'P70;T0:70;a.py:f:2 50' 'P90;T0:90;a.py:h:9 30' 'P70;T0:71;a.py:g:5 40' 'P70;T0:70;a.py:f:2 40' \
		'P90;T0:90;a.py:h:9 35' 'P70;T0:71;a.py:g:5 10' 'P90;T0:90;a.py:h:9 10' >"$2"
}
rounds wall rounds.austin
rounds cpu rounds-cpu.austin
# What austin-compress makes of it.
printf '%s\n' '# austin: 3.7.0' '# interval: 100' '# mode: wall' 'P70;T0:70;a.py:f:1 200' 'P70;T0:70;a.py:f:2 90' \
	'P70;T0:71;a.py:g:5 100' 'P90;T0:90;a.py:h:9 75' >compressed.austin

printf '%s\n' '# austin: 3.7.0' '# interval: 500' '# mode: memory' '# memory: 24683668' \
	'P70;T0:70;a.py:f:1 4096' 'P70;T0:70;a.py:f:1 -1024' 'P70;T0:70;a.py:f:1;a.py:g:2 -2048' >memory.austin

printf '%s\n' '# austin: 3.7.0' '# mode: full' 'P70;T0:70;a.py:f:1 762,0,860160' \
	'P70;T0:70;a.py:f:1 500,1,0' 'P70;T0:70;a.py:f:1 300,0,-4096' >full.austin

# mojo2austin: names of threads, the first metric alone, the last sample behind the footer.
printf '%s\n' '# austin: 4.0.0' '# mode: full' 'P70;T0:MainThread;a.py:<module>:3 100' \
	'P70;T0:worker;2: x;a.py:run:5 200' 'P70;T0:idle one 300' '# count: 4' 'P70;T0:MainThread;a.py:<module>:4 7' >names.austin

# Austin 2, and the format -a of austin 3: lines as frames of their own.
printf '%s\n' 'P70;T7f3c9c2b1740;<module> (a.py);L9;f (lib/b (1).py);L12 100 12 0' \
	'P70;T7f3c9c2b1740;<module> (a.py);L9;f (lib/b (1).py);L13 50 0 -4' \
	'P70;T7f3c9c2b1740;<module> (a.py:9);<idle> 10' 'P70;T70;a.py:<module>;L9;a.py:f;L12 25' >lines.austin

# austinp: native code, the kernel.
printf '%s\n' '# map: 400000-41f000 /usr/bin/python3.11' '# austin: 3.7.0' '# mode: wall' \
	'P70;T0:70;native@627bd1:_start:33;native@7fc2:<unknown>:0;a.py:f:1;kernel:do_syscall_64:0 100' >native.austinp

printf 'P70;T0:70;a.py:f:1 100\r\nP70;T0:70;a.py:f:1) 50\r\nP70;T0:70;a.py:f:1;;a.py:g:2 9223372036854775807\r\nP70;T0:70;a.py:f:1 -3\r\n#: 3.7.0\r\n#:\n# : 1\n#' >odd.austin
printf '%s\n' '# austin: 3.7.0' '# interval: 100' '# mode: wall' '' '# duration: 5' >no-samples.austin

printf '%s\n' 'P70;T0:70;a.py:f:1 100' 'P70;T0:70;a.py:f:1' >bad/no-metric.austin
printf '%s\n' 'P70;T0:70;a.py:f:1 100' 'P70;T0:70;a.py:f:1 1,2' >bad/two-metrics.austin
printf '%s\n' '# mode: wall' >bad/nothing.austin
