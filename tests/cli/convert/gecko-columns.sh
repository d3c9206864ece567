# Frames keep their columns: those that say one in the profile that is read.
for file in raw threads alloc; do
	profkit convert -q "$TESTDATA/gecko/$file.gecko.json" --to gecko -o one.json
	profkit query -q --format csv one.json 'select line, column from location where column > 0 order by line, column'
done
