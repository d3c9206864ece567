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
# A caller with few callees is looked at, and a callee with few callers, however many calls there are; main has too many.
many() { # NAME
	seq -f "main;${1}_%g 9" 600
	printf 'main;%s_scan 20\nmain;%s_scan;leaf 500\nmain;z;%s_sum 300\n' "$1" "$1" "$1"
}
many old >before.folded
many new >after.folded
profkit diff -q --limit 0 before.folded after.folded | grep 'renamed to'
# In a later round callers have their new names, whose numbers are in another order.
later() { # NAME
	printf 'main;%s_reader;helper 300\nmain;%s_reader;%s_leaf 400\nmain;keep;%s_leaf 500\nmain;keep 100\n' "$1" "$1" "$1" "$1"
}
later old >before.folded
later new >after.folded
profkit diff -q --limit 0 before.folded after.folded | grep 'renamed to'
