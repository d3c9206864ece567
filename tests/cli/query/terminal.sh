# Names inside a file cannot send commands to a terminal.
printf 'a\033[31m;b 1\n' >x.folded
profkit query x.folded 'SELECT name FROM functions ORDER BY id'
profkit query --format csv x.folded 'SELECT path FROM path' | od -c | head -n 3
