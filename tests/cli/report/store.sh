# The runs of a store name files, which may be any: only files of the command line are opened and summed up.
printf 'main;work 30\n' >a.folded
profkit store add -q s.db a.folded
for page in "a.folded" "s.db" "a.folded s.db"; do
	profkit report --no-sandbox $page | grep -o '<footer>.*</footer>' | sed 's/profkit [0-9.]*/profkit VERSION/'
done
