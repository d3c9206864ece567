# yappi's callgrind: its list of names begins no functions, names are without the place, and the total of parse has the
# time of functions in C that were not recorded, as yappi's own pstat.
cat >yappi.callgrind <<'END'
version: 1
creator: yappi
pid: 21944
cmd:  ym.py
part: 1

events: Ticks

fl=(0) /srv/shop.py
fl=(32) /srv/shop.py
fl=(33) /srv/shop.py
fl=(12) /lib/_weakrefset.py
fn=(0) main /srv/shop.py:50
fn=(32) parse /srv/shop.py:20
fn=(33) <listcomp> /srv/shop.py:18
fn=(12) <listcomp> /lib/_weakrefset.py:85

fl=(0)
fn=(0)
50 437
cfl=(32)
cfn=(32)
calls=1 0
0 211195
cfl=(33)
cfn=(33)
calls=2 0
0 300

fl=(32)
fn=(32)
20 109510

fl=(33)
fn=(33)
18 200
cfl=(12)
cfn=(12)
calls=1 0
0 100

fl=(12)
fn=(12)
85 100
END
profkit hotspots yappi.callgrind
profkit lines yappi.callgrind parse | tail -n +3
# It is still one of yappi, with the same times, after it was converted.
profkit convert -q yappi.callgrind again.callgrind
profkit hotspots again.callgrind
