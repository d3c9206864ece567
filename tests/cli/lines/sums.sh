# Recursion: a line counts once in its total. A lambda is a function of its own, and a part of the line of
# its file. Costs whose line is not known are said.
cat >stacks.txt <<'END'
main (a.py:9);walk (a.py:3);walk (a.py:3);walk (a.py:4) 5
main (a.py:9);walk (a.py:3);<lambda> (a.py:3) 2
main (a.py:9);lib.so 3
main (a.py:9);walk (a.py:4) 1
END
profkit lines -f py-spy stacks.txt
profkit lines -f py-spy stacks.txt a.py
profkit lines -f py-spy --format csv stacks.txt walk
