# What functions added, less what they freed: shares in the call graph are those of the table, of the sum of all, and as
# far above 100% and below 0. No shares if nothing is left of the sum.
file=$TESTDATA/mprof/marked.dat
profkit callgraph -m increment "$file" | grep -o 'l100%[^,]*functions\|label="__main__[^,]*\|tooltip="[a-z]*.n->[^"]*' | sort -u
profkit hotspots -q -m increment --format csv "$file" | cut -d, -f1,8-11
echo == less than nothing
cat >below.dat <<'END'
CMDLINE python freed.py
MEM 60.000000 100.0000
FUNC __main__.main 60.0000 100.0000 20.0000 103.0000
FUNC __main__.grow 60.0000 101.0000 68.0000 102.0000
MEM 20.000000 103.0000
END
profkit callgraph -m increment below.dat | grep -o 'label="__main__[^,]*\|label="below.dat[^"]*\|tooltip="[a-z]*.n[^"]*'
profkit hotspots -q -m increment --format csv below.dat | cut -d, -f1,8-11
echo == why shares are above 100%
profkit hotspots -m increment "$file" | tail -n 1
