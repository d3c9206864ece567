# The page says what was repaired, as the command does, also of one of several files.
printf 'main;work 3\nthis is no stack\nmain;more 2\n' >a.folded
printf 'main;work 4\n' >b.folded
for files in a.folded "a.folded b.folded"; do
	profkit report $files | sed '/id="data"/,$d' | grep -o '<p>warning.*</p>'
done
