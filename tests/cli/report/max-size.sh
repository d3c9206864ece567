# A page has at most the size asked for, whatever names and numbers of files do.
[ -z "${SANITIZE-}" ] || { echo "takes long with sanitizers"; exit 77; }
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
# names that cannot be packed much
awk 'BEGIN {
	srand(1)
	for (i = 0; i < 2000; i++) {
		name = "random_"
		for (part = 0; part < 9; part++)
			name = name sprintf("%07x", rand() * 268435456)
		print "main;f" i, i + 1 >name
		close(name)
	}
}'
status 2 profkit report --max-size 256K random_* -o page.html 2>&1 | sed 's/has [0-9,]* bytes/has N bytes/'
[ ! -e page.html ]
