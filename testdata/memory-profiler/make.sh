#!/bin/sh
# Makes the fixtures of this folder: see SOURCE. $1: the python of an environment with memory_profiler.
set -e
cd "$(dirname "$0")"
PYTHONPATH= LC_ALL=C.UTF-8
export PYTHONPATH LC_ALL
"$1" -m memory_profiler program.py >recorded.txt
"$1" -m memory_profiler --precision 0 program.py >coarse.txt
"$1" program.py --calls | sed "s,$PWD/,," >calls.txt
printf '%s\n' 'Filename: /srv/app/old.py' '' \
	'Line #    Mem usage    Increment   Line Contents' \
	'================================================' \
	'    11     14.1 MiB     14.1 MiB   @profile' \
	'    12                             async def grow(n):' \
	'    13     29.4 MiB     15.3 MiB       return [0] * n' '' '' \
	'Filename: /srv/app/old.py' '' \
	'Line #    Mem usage    Increment   Line Contents' \
	'================================================' \
	'     3     29.4 MiB     29.4 MiB   add = lambda n: (' \
	'     4     29.4 MiB     -0.0 MiB       [0] * n)' '' '' >old.txt
{
	printf 'started\r\n'
	sed 's/$/\r/' old.txt
	printf '%s\n' 'Filename: torn.py' '' \
		'Line #    Mem usage    Increment  Occurrences   Line Contents' \
		'=============================================================' \
		'1000001   14.123456 MiB   14.1 MiB           1   def f():' \
		'1000002   14.1 MiB   14.1' '1000003' 'done' '  0004' \
		'1000005  1234567.123456 MiB -1234567.123456 MiB  99999999999       pass' \
		'1000000    14.1 MiB     14.1 MiB           1   back' 'Filename: empty.py' ''
} >odd.txt
mkdir -p bad
printf 'Filename: a.py\n\nLine #    Mem usage    Increment   Line Contents\n====\n\n' >bad/nothing.txt
