#!/bin/bash
# Makes odd.dat and bad/: every line is written out here.
set -e
cd "$(dirname "$0")"

# Torn lines, a blank line, a line of another kind, CR LF, calls that overlap as those of two threads do,
# a call as long as its caller that stands before it, no level, a lambda, a name without a module, zero at the end.
printf '%s\n' 'MEM 1.000000 100.0000' $'MEM 1.5 100.1\r' 'CMDLINE odd.py  --with blanks' 'MEM 2.2' '' \
	'MEM 2.250000 100.2000' '345564.6759' 'MEM 3.0 1x0' 'MEM nan 100.3' 'CHLD 7' 'CHLD 7 4.5 100.25' \
	'FUNC a.inner 1.0000 100.0500 2.0000 100.2000 1' 'FUNC a.outer 1.0000 100.0500 3.0000 100.2000 0' \
	'FUNC b.<lambda> 1 100.06 1.25 100.21' 'FUNC bare 1 100.21 0.5 100.22' \
	'FUNC a.torn 1 100' 'FUNC a.back 1 100.2 1 100.1 0' 'MEM -0.500000 100.4000' 'MEM 0.000000 100.5000' >odd.dat

printf '%s\n' 'CMDLINE python3 -c 1' 'FUNC a.b 1 2 3 4 0' >bad/no-memory.dat
