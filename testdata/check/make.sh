#!/bin/bash
# Records workload.py again and again: five rounds of a slow run of each function, and after four of
# five of them a run as it is; then 40 runs with py-spy. Takes ten minutes, and needs python3,
# py-spy (pip install py-spy) and profkit.
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
functions=(count_letters checksum indentation stem index trigrams entropy run_lengths hash_words
    distances)
library=$(python3 -c 'import os, string; print(os.path.dirname(string.__file__) + "/")')
base=() slow=() sampled=()
for round in 0 1 2 3 4; do
    for i in "${!functions[@]}"; do
        slow+=("$work/slow.${#slow[@]}.prof")
        python3 record.py "${slow[-1]}" --repeat 3 --slow "${functions[i]}"
        if [ $((i % 5)) != 4 ]; then
            base+=("$work/base.${#base[@]}.prof")
            python3 record.py "${base[-1]}" --repeat 3
        fi
    done
done
for ((i = 0; i < 40; i++)); do
    sampled+=("$work/sampled.$i.raw.txt")
    py-spy record -q -r 500 -f raw -o "${sampled[-1]}" -- python3 workload.py --repeat 4
done
profkit convert -q --trim-path "$library" "${base[@]}" runs/cprofile.baseline.gz
profkit convert -q --trim-path "$library" "${slow[@]}" runs/slow.baseline.gz
profkit convert -q --trim-path "$library" "${sampled[@]}" runs/py-spy.baseline.gz
