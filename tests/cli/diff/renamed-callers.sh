# A function is found by what it calls, although another function calls it now. A function that became part of
# two others by its callers.
{
	printf 'main;a;old_reader;%s\n' 'decode 100' 'parse 40' 'close 20'
	printf 'main;a;keep 30\nmain;b;x 50\n'
} >before.folded
{
	printf 'main;b;new_reader;%s\n' 'decode 100' 'parse 40' 'close 20'
	printf 'main;a;keep 30\nmain;b;x 50\n'
} >after.folded
profkit diff before.folded after.folded | grep new_reader
printf 'main;one %d\nmain;two %d\nmain;one;part %d\nmain;two;part %d\nmain;other %d\n' 100 100 200 200 900 >apart.folded
printf 'main;one %d\nmain;two %d\nmain;other %d\n' 301 299 900 >inlined.folded
profkit diff -q --no-changed apart.folded inlined.folded
