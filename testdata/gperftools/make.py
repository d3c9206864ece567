#!/usr/bin/env python3
"""Makes the profiles of this folder that are not recorded."""
import struct


def words(fmt, *stacks, version=0, period=10000, end=True):
    """stacks: count, addresses from the leaf."""
    flat = [0, 3, version, period, 0]
    for count, addresses in stacks:
        flat += [count, len(addresses), *addresses]
    return struct.pack(f"{fmt[0]}{len(flat) + 3 * end}{fmt[1]}", *flat, *([0, 1, 0] if end else []))


def write(name, data):
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


# Every stack has the signal handler's 0x9000 second; a leaf is there twice, its second one as a return address.
write("handler-32.prof", words(">I", (3, [0x1010, 0x9001, 0x1200, 0x1300]), (1, [0x1020, 0x9001, 0x1020, 0x1300]),
                               (2, [0x5000, 0x9001, 0x1300]), (1, [0x1010, 0x9001, 0x1200, 0x1300])) + b"""\
build=/srv/example
00001000-00002000: $build/main
0x2000-0x3000: /srv/example/lib.so.1 (@1000) 0123abcd
main.cc:7] 5000-6000 r-xp 00000000 00:00 0 [vdso]
not a line of maps
""")
write("java.prof", words("<I", (3, [3]), (1, [6, 7, 8]), (2, [9, 8]), version=1) + b"""\
 0x00000003 GC
 0x00000006 com.example.Main.run (Main.java:63)
 0x00000007 memcpy (/lib/libc.so.6)
 0x00000008 com.example.Main.main (Main.java:-1)
""")
write("cut.prof", words(">Q", (3, [0x1010, 0x1200]), (2, [0x1010, 0x1300]), end=False)[:-4])
write("go-heap.txt", """\
heap profile: 3: 6000 [4: 526288] @ heap/1048576
2: 2000 [2: 2000] @ 0x4010 0x4120 0x4130
#\t0x411f\tmain.inlined+0xf\t/srv/example/main.go:12
#\t0x411f\tmain.work+0x1f\t/srv/example/main.go:20
#\t0x412f\tmain.main+0x2f\t/srv/example/main.go:30

1: 4000 [1: 4000] @ 0x4120 0x4120 0x4130
#\t0x411f\tmain.inlined+0xf\t/srv/example/main.go:12
#\t0x411f\tmain.work+0x1f\t/srv/example/main.go:20
#\t0x411f\tmain.inlined+0xf\t/srv/example/main.go:12
#\t0x411f\tmain.work+0x1f\t/srv/example/main.go:20
#\t0x412f\tmain.main+0x2f\t/srv/example/main.go:30

0: 0 [1: 520288] @ 0x4130

# runtime.MemStats
# Alloc = 6000
""")
write("waits.txt", """\
--- contentionz 1 ---
cycles/second = 2000000000
sampling period = 100
ms since reset = 16502830
discarded samples = 0
  2500  3 @ 0x400fb5 0x401c3
  10  1 @ 0x400fb5
--- Memory map: ---
00400000-00fcb000 r-xp 00000000 00:00 799   /srv/example/a file
""")
write("threads.txt", """\
--- threadz 1 ---

--- Thread 7f8e4ab9e700 (name: main/14748) stack: ---
  0x40bce3
  0x40bd0f
--- Thread 7f8e4ab9d700 (name: pool/1/14749) stack: ---
  [same as previous thread]
--- Thread 7f8e4ab9c700 (name: idle/14750) stack: ---
  0x40bce3 0x40c000
--- Memory map: ---
  00400000-00fcb000: /srv/example/server
""")
# The leaf is there twice, the second time as a return address; the next thread has the same stack.
write("threads-leaf.txt", """\
--- Thread 7f8e4ab9e700 (name: main/14748) stack: ---
  0x40bce3 0x40bce3
  0x40bd0f
--- Thread 7f8e4ab9d700 (name: pool/14749) stack: ---
  [same as previous thread]
--- Thread 7f8e4ab9c700 (name: idle/14750) stack: ---
  0x40bce3 0x40c000
--- Memory map: ---
  00400000-00fcb000: cafe_server
""")
write("odd.heap", """\
heap profile: 1: 10 [1: 10] @ growthz
1: 10 [1: 10] @ 0x1100 0x1201
nothing
0: 7 [0: 0] @ 0x1100
1: 3 [0: 0] @ 0x1100 and
1: 9223372036854775807 [0: 0] @ 0x1300
1: 9223372036854775807 [0: 0] @ 0x1300
1: 5 [0: 0] @
MAPPED_LIBRARIES:
1000-3000 r-xp 0000 00:00 1 /srv/example/one
2000-4000 r-xp 0000 00:00 1 /srv/example/two
5000-4000 r-xp 0000 00:00 1 /srv/example/three
""")
write("bad/head.heap", "heap profile: 1: 10 @ heapprofile\n1: 10 [1: 10] @ 0x1100\n")
