#!/bin/sh
# Makes the files of this folder with any python3; the numbers differ with every run.
set -e
cd "$(dirname "$0")"
python3 -m cProfile -o before.prof orders.py
python3 -m cProfile -o after.prof orders.py --index
python3 sample.py orders.py >orders.folded
python3 shop.py >shop.json
kernprof -l -p orders.py -o orders.lprof orders.py
# The lines of eight runs, added.
for run in 1 2 3 4 5 6 7 8; do
	py-spy record -f raw -r 500 -o part.txt -- python3 orders.py && grep "^<" part.txt
done | awk '{ n = $NF; $NF = ""; sum[$0] += n } END { for (s in sum) print s sum[s] }' |
	LC_ALL=C sort >orders.raw.txt
rm part.txt
# Where Python is installed is of no interest: its library becomes /usr/lib/pythonX.Y.
python3 - before.prof after.prof <<'END'
import marshal, os, sys

def move(key):
    return (key[0].replace(os.path.dirname(os.__file__), "/usr/lib/python%d.%d" % sys.version_info[:2]),) + key[1:]

for path in sys.argv[1:]:
    with open(path, "rb") as f:
        stats = marshal.load(f)
    stats = {move(key): row[:4] + ({move(caller): edge for caller, edge in row[4].items()},)
             for key, row in stats.items()}
    with open(path, "wb") as f:
        marshal.dump(stats, f)
END
