# What is written is of this format, whatever its texts are, and is the same when it is written again.
for file in speedscope/evented.speedscope.json py-spy/odd.raw.txt torch/rank0.json; do
	profkit convert -q "$TESTDATA/$file" --to gecko -o one.json
	profkit convert -q one.json --to gecko -o two.json
	profkit convert -q two.json --to gecko -o three.json
	for table in node function label_set; do
		profkit query -q --format csv one.json "select * from $table" >one.csv
		profkit query -q --format csv three.json "select * from $table" | diff one.csv -
	done
	rm ./*.json
done
