#!/bin/sh
# Records the .dat files again: ./record.sh with mprof of memory_profiler 0.61.0 in PATH. It removes
# the program when it is done.
set -e
cat > steps.py <<'PY'
import multiprocessing, sys, time

try:
    profile
except NameError:
    def profile(f):
        return f

@profile
def grow(mib):
    keep = bytearray(mib << 20)
    for i in range(0, len(keep), 4096):
        keep[i] = 1
    time.sleep(0.05)
    return keep

@profile
def temporary(mib):
    grow(mib)
    time.sleep(0.05)

@profile
def recurse(n):
    kept = grow(4)
    return recurse(n - 1) + [kept] if n else [kept]

@profile
def main():
    kept = recurse(2)
    temporary(24)
    return kept

if __name__ == "__main__":
    if "pool" in sys.argv:
        with multiprocessing.Pool(2) as pool:
            pool.map(grow, [8, 16, 24, 32], 1)
    main()
PY
rm -f marked.dat children.dat appended.dat
mprof run -T 0.02 -o marked.dat steps.py
mprof run -M -T 0.05 -o children.dat --nopython python3 steps.py pool
mprof run -T 0.1 -o appended.dat --nopython python3 steps.py
mprof run -T 0.1 -o appended.dat steps.py again
sed -i 's|^CMDLINE /.*/|CMDLINE |' *.dat
rm steps.py
