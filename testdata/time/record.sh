#!/bin/bash
# Records the files again: ./record.sh with GNU time 1.9, bash 5.2 and zsh 5.9.
time=/usr/bin/time
rm -f runs.txt
for i in 1 2 3 4; do # runs of one command; the last two fail
    END=$((i / 3 * 3)) $time -v -a -o runs.txt python3 -c "import os, sys; sum(range(10**6))
sys.exit(int(os.environ['END']))" 'a "b"'
done
$time -v -o killed.txt sh -c 'kill -9 $$'
{ $time sh -c 'echo 17 files; printf "done, 3 "; exit 2'; } > default.txt 2>&1
{ $time -p sh -c 'echo user 7; sleep 0.02'; } > posix.txt 2>&1
{ for i in 1 2 3; do time sh -c "echo step $i; sleep 0.0$i"; done; } > bash.txt 2>&1
# zsh's own: the files that it reads at its start are left out
zsh -f -c "time sh -c 'echo out; sleep 0.02'; time (sleep 0.01)" > zsh.txt 2>&1
