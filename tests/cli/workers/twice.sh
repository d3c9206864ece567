# A run that comes twice, also under another name, is one worker. Two runs that are alike are two.
rank0="$TESTDATA/torch/rank0.json" rank1="$TESTDATA/torch/rank1.json"
cp "$rank0" copy.json
profkit workers -q --format csv "$rank0" "$rank1" >once.csv
profkit workers --format csv "$rank0" "$rank0" "$rank1" copy.json | cmp - once.csv
profkit workers --format csv "$rank0" copy.json >one.csv
profkit workers --format csv "$rank0" | cmp - one.csv
sed 's/"rank":0/"rank":2/; s/"rank": 0/"rank": 2/' "$rank0" >other.json
profkit workers --format csv "$rank0" "$rank1" other.json | cut -d, -f 1-3
