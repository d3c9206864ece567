#!/bin/sh
# Makes work.gmon in the current folder: ../gprof/work.c, compiled by gcc -pg, run once.
set -e
cp "$(dirname "$0")/../gprof/work.c" .
gcc -O1 -fno-optimize-sibling-calls -fno-ipa-cp -pg -no-pie work.c -o work
./work
mv gmon.out work.gmon
