#!/bin/sh
# Makes cpu.prof, alloc.heap and work in the current folder: work.c, recorded by gperftools
# (libgoogle-perftools-dev). Files are said to be elsewhere, so that no library of this machine is looked into.
set -e
here=$(dirname "$0")
cp "$here/work.c" .
gcc -O1 -g -Wl,--no-as-needed work.c -o work -lprofiler -ltcmalloc
CPUPROFILE=recorded.prof CPUPROFILE_FREQUENCY=250 ./work 300
HEAPPROFILE=recorded ./work 1
python3 "$here/move.py" recorded.prof >cpu.prof
python3 "$here/move.py" recorded.0001.heap >alloc.heap
rm recorded.*
