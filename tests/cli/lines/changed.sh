# A source that is shorter than what was executed, where another function begins, or an empty line was
# executed, has changed; a tree that was moved is found by the end of its path.
mkdir -p moved/app other
printf 'f (/srv/x/app/main.py:2) 3\nf (/srv/x/app/main.py:9) 1\n' >stacks.txt
printf 'def f():\n    return 1\n' >moved/app/main.py
profkit lines -f py-spy --source other --source moved stacks.txt
printf 'def f():\n\n\n\n\n\n\n\n    return 1\n' >moved/app/main.py
profkit lines -f py-spy --source moved stacks.txt f
echo == Latin-1, CRLF, tabs
printf '# coding: latin-1\r\ndef f():\t# \344\r\n\treturn 1\r\n' >moved/app/main.py
printf 'f (/srv/x/app/main.py:3) 3\n' >stacks.txt
profkit lines -f py-spy --source moved stacks.txt f
