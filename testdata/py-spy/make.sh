#!/bin/bash
# Makes the fixtures of this folder: every one is written out here.
set -e
cd "$(dirname "$0")"

# As py-spy record -f raw: one function on several lines, recursion, modules without a file.
printf '%s\n' '<module> (shop.py:40);main (shop.py:35);total (shop.py:12) 5' \
	'<module> (shop.py:40);main (shop.py:35);total (shop.py:13) 7' \
	'<module> (shop.py:40);main (shop.py:36);walk (shop.py:20);walk (shop.py:21);walk (shop.py:20) 2' \
	'_find_and_load (<frozen importlib._bootstrap>:1178);<module> (<string>:1) 1' \
	'<module> (shop.py:40);Basket.__iter__.<locals>.<genexpr> (my (new) shop/basket.py:3) 4' \
	' 3' >plain.raw.txt

# -t: names of threads with all that may be in them, ids in both forms, a name that comes late.
printf '%s\n' 'thread (70);<module> (a.py:1) 1' 'thread (70): MainThread;<module> (a.py:1) 2' \
	'thread (71): worker;2;run (a.py:5);wait (threading.py:9) 3' \
	'thread (72): a "b" (c): 5;run (a.py:5) 4' 'thread (0x7F00AB12C640): worker 5 6' \
	'thread (73) 7' >threads.raw.txt

# -s -t: nested processes, one without a command, a command with ";", a process without threads.
printf '%s\n' 'process 10:"";process 11:"python3 -c import a; run(4)";thread (11): MainThread;run (a.py:2) 1' \
	'process 10:"python3 a.py";thread (10): MainThread;<module> (a.py:9);main (a.py:3) 2' \
	'process 10:"python3 a.py" 3' 'process 10:"python3 a.py";process 12:"sh";f (b.py:1) 4' >processes.raw.txt

# -n: libraries, addresses, sources in C and Cython; and lines that mean nothing.
printf '%s\n' '0x7f2c7ab5224a (libc.so.6);<module> (a.py:2);dot (numpy/_core/_multiarray_umath.so);0x7f01 (?) 5' \
	'<module> (a.py:2);std::vector<int, A>::at (src/vec.cpp:7);operator() (libx.so) 6' \
	'<module> (a.py:2);compile (re.py) 7' '<module> (a.py:2);odd (a.py:-4);odd (a.py:0) 8' >native.raw.txt

# Frames that tell no place, and a line cut short.
printf '%s\n' 'f (a.py:1);g (a.py:2);h (a.py:3);i (a.py:4);j (a.py:5);f (a.py:1);g (a.py:2);h (a.py:3);i (a.py:4);j 5' \
	'process 5:"open;f (a.py:1);g (a.py:2);f (a.py:1);g (a.py:2);f (a.py:1);g (a.py:2);f (a.py:1);g (a.py:2);f (a.py:1) 1' \
	'f (a.py:1) 2' >odd.raw.txt

mkdir -p bad
printf '%s\n' 'f (a.py:1) 2' 'f (a.py:1);g (a.py:2)' >bad/no-count.raw.txt
