# The hottest path is one of functions: lines of one function are not paths of their own, and recursion is said once.
printf '%s\n' 'main (a.py:1);walk (a.py:4);walk (a.py:5);walk (a.py:5);leaf (a.py:9) 30' 'main (a.py:2);walk (a.py:5);walk (a.py:4);leaf (a.py:8) 31' \
    'main (a.py:1);walk (a.py:4);walk (a.py:5);walk (a.py:4);leaf (a.py:8) 25' 'main (a.py:1);other (a.py:20) 14' >lines.txt
profkit brief lines.txt | grep "^hottest path"
# No path is shown if it ends where all of its cost is still to be divided.
printf 'start;main;f%d 10\n' 1 2 3 4 >spread.folded
profkit brief spread.folded | grep "^hottest path" || echo "no path"
