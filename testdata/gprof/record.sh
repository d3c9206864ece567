#!/bin/sh
# Makes the tables of this folder in the current one: work.c, run once, printed in several ways (gcc, gprof).
set -e
cp "$(dirname "$0")/work.c" .
gcc -O1 -fno-optimize-sibling-calls -fno-ipa-cp -g -pg -no-pie work.c -o work
./work
gprof ./work >full.txt
gprof -b -p ./work >flat.txt
gprof -b -q ./work >graph.txt
gprof -b -T ./work >bsd.txt
gprof -b -l -p ./work >lines.txt
