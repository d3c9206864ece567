# callgrind_annotate prints the numbers of the file: units of 10 ns of xdebug, of a us of yappi, whose names have the place in
# them, and the file's summary, which for xdebug is no sum. peer_callgrind.py compares it.
cd "$TESTDATA/callgrind"
profkit hotspots --like callgrind_annotate xdebug.callgrind
cd "$OLDPWD"
cat >yappi.callgrind <<'END'
version: 1
creator: yappi
pid: 21944
cmd:  ym.py
part: 1

events: Ticks

fl=(0) /srv/shop.py
fl=(33) /srv/shop.py
fl=(34) /srv/shop.py
fn=(0) main /srv/shop.py:50
fn=(33) <listcomp> /srv/shop.py:18
fn=(34) <listcomp> /srv/shop.py:28

fl=(0)
fn=(0)
50 437
cfl=(33)
cfn=(33)
calls=2 0
0 300

fl=(33)
fn=(33)
18 300

fl=(34)
fn=(34)
28 21
END
profkit hotspots --like callgrind_annotate yappi.callgrind | sed -n '/^Events/p;/TOTALS/p;/file:function/,$p'
profkit hotspots --like callgrind_annotate --inclusive yappi.callgrind | sed -n '/TOTALS/p;/file:function/,$p'
profkit hotspots -q --format csv yappi.callgrind | cut -d , -f 1,5,8
# What is written of it is in ns.
profkit convert -q yappi.callgrind ns.callgrind
profkit hotspots --like callgrind_annotate ns.callgrind | sed -n '/^Events rec/p;/TOTALS/p'
