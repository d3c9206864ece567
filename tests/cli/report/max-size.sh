# A page has at most the size asked for, whatever names and numbers of files do.
awk 'BEGIN {
	for (i = 0; i < 200; i++)
		name = name "\"<&\303\251&&&"
	for (i = 0; i < 400; i++)
		printf "main;f%d%s %d\n", i, name, i + 1
}' >long.folded
for i in $(seq 600); do
	echo "main;f$i $i" >a_file_with_a_name_that_is_not_short_$i.folded
done
for size in 256 300 1000 5000; do
	for files in long.folded "a_file*"; do
		profkit report --max-size ${size}K $files -o page.html
		[ $(wc -c <page.html) -le $((size * 1024)) ] || echo "too large: $size $files"
		rm page.html
	done
done
for i in $(seq 601 10000); do
	echo "main;f$i $i" >a_file_with_a_name_that_is_not_short_$i.folded
done
status 2 profkit report --max-size 256K a_file* -o page.html 2>&1 | sed 's/has [0-9,]* bytes/has N bytes/'
[ ! -e page.html ]
