#!/usr/bin/env python3
"""Makes the fixtures of this folder that record.sh does not make."""
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))
FILES = {
    # The counts of cachegrind: no version, positions, calls; costs of several files of one function.
    "cachegrind.out": """desc: I1 cache:         32768 B, 64 B, 8-way associative
desc: D1 cache:         32768 B, 64 B, 8-way associative
desc: LL cache:         8388608 B, 64 B, 16-way associative
cmd: ./parse 12
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
fl=/src/parse.c
fn=parse
27 100 1 1 20 0 0 50 0 0
29 4000 0 0 900 2 2
fl=/src/parse.h
fn=parse
5 700 0 0 700
fl=???
fn=(below main)
0 12 1 1 3 1 1 2
summary: 4812 2 2 1623 3 3 52 0 0
""",
    # Formulas, long names; a cycle that nothing calls; numbers in hex; ranges of places.
    "derived.callgrind": """# callgrind format
version: 1
creator: callgrind-3.22.0
cmd: ./cycle
part: 1
positions: instr line
event: sysTime : sysTime (elapsed ms)
event: CEst = Ir + 10 Bm + 100*LLm : Cycle Estimation
event: Twice = Ir + Ir
event: Odd = Ir - Bm
event: Of = Nothing
events: Ir Bm LLm sysTime
summary: 70 7 3 4

ob=(1) /usr/bin/cycle
fl=(1) cycle.c
fn=(1) one
0x10 10:12 10 1 1
+4 +1 5
cfn=(2) two
calls=0x2 0x20 20
* * 90 9 3
fn=(2)
0x20 20 30 3 1 4
cfn=(1)
calls=2 -16 -10
+1+2 +2-1 40 4 2
fn=(3) three
* 30 25 3 1
cfn=(3)
calls=3 * *
* * 60
totals: 70 7 3 4
""",
    # xdebug: units in the names of events, a method of PHP, files of which one is php:internal.
    "xdebug.callgrind": """version: 1
creator: xdebug 3.3.1 (PHP 8.2.7)
cmd: /srv/index.php
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

fl=(1) php:internal
fn=(1) php::strlen
7 12 0

fl=(2) /srv/index.php
fn=(2) Cart->total
4 300 416
cfl=(1)
cfn=(1)
calls=1 0 0
7 12 0

fn=(3) {main}
1 150 1024
cfl=(2)
cfn=(2)
calls=1 0 0
12 312 416

summary: 519 3992

""",
    # Everything that is mended.
    "odd.callgrind": """# callgrind format
version: x
creator: callgrind-3.19.0
pid: many
thread: first
event: = Ir
events: Ir Dr
summary: 1 1

3 4
fl=(1) a.c
fn=(1) a
1 10 20 30
2 x
3 99999999999999999999
+1 -5 .
cfn=(2) b
cfn=(3) c
calls=1 here
1 7
calls=2 5
2 8
cob=(77)
cfi=(78)
cfn=(79)
calls=1 1
calls=1 1
3 9
cfn=(4) d
fn=(1) other
4 1
jump=2 9
4
jcnd=1/2 9
4
jfi=(1) b.c
colour=red
""",
    "bad/no-events": "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\nfn=a\n",
    "bad/costs-first": "# callgrind format\nfn=a\n1 2\n",
    "bad/empty-events": "# callgrind format\nevents:\nfn=a\n1 2\n",
    "bad/version": "# callgrind format\nversion: 2\nevents: Ir\nfn=a\n1 2\n",
    "bad/below-zero": "# callgrind format\nevents: Ir\nfn=a\n1 2\n-3 4\n",
    "bad/no-position": "# callgrind format\nevents: Ir\nfn=a\n+x 2\n",
    "bad/calls": "# callgrind format\nevents: Ir\nfn=a\ncfn=b\ncalls=many 3\n1 2\n",
    "bad/positions": "# callgrind format\npositions: instr bb line instr\nevents: Ir\nfn=a\n1 2\n",
    "bad/events": "# callgrind format\nevents: " + " ".join(f"E{i}" for i in range(65)) + "\nfn=a\n1 2\n",
}
for name, text in FILES.items():
    with open(name, "w") as f:
        f.write(text)
