# Calls whose times or memory are so large that differences of them would not fit into 64 bits are torn lines; g is read.
printf '%s\n' 'CMDLINE python a.py' 'MEM 1.0 1.0' 'FUNC f 1.0 -5000000000.0 2.0 5000000000.0' 'FUNC g 1.0 1.5 2.0 1.75' \
	'FUNC h 9000000000000.0 1.5 2.0 1.75' 'MEM 2.0 2.0' >far.dat
profkit info -q far.dat | grep -E '^(spans|time range|repair)'
profkit memory -q far.dat
