# A file of yappi is still one of yappi, with the same times, after it was converted to callgrind.
cat >yappi.callgrind <<'FILE'
version: 1
creator: yappi
pid: 7
cmd:  app.py
part: 1

events: Ticks

fl=(0) app.py
fl=(1) app.py

fn=(0) main app.py:9
fn=(1) work app.py:3

fl=(0)
fn=(0)
9 10
cfl=(1)
cfn=(1)
calls=2 0
0 700

fl=(1)
fn=(1)
3 300
FILE
profkit convert -q yappi.callgrind again.callgrind
profkit hotspots yappi.callgrind
profkit hotspots again.callgrind | tail -n +2
