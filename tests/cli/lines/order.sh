# The function, or the source, may also come first, as that of callers; so may the SQL of query.
printf 'main (a.py:1);work (a.py:3) 5\nmain (a.py:1);rest (a.py:9) 5\n' >a.raw
touch a.py
profkit lines work a.raw >first
profkit lines a.raw work >last
profkit lines -q a.py a.raw >source
cmp first last
head -n 4 first
grep -c a.py source
profkit query 'SELECT count(*) FROM function' a.raw
status 2 profkit query a.raw 'SELECT count(*) FROM function' a.raw
