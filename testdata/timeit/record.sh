#!/bin/sh
# Records the files again: ./record.sh with Python 3.11 and IPython 9 (python3 -m IPython).
python3 -m timeit -n 200 -r 3 'sum(range(100))' > plain.txt
python3 -m timeit -v -s 'x = [3, 1, 2]' 'sorted(x)' > verbose.txt
{
    python3 -m timeit -vv -u msec -n 20 -r 4 'sum(range(1000))'
    python3 -m timeit -n 1 -r 1 'import time; time.sleep(0.01)'
} > several.txt
python3 -m IPython --colors NoColor -c "
print('x = 7')
%timeit -n 1000 -r 5 sum(range(100))
%timeit -n 1 -r 1 import time; time.sleep(0.01)" > ipython.txt
