# A folder is its ranks, by the numbers in their names: the page is that of the files, which its commands name.
mkdir ranks
cp "$TESTDATA/torch/gpu.json" ranks/rank2.json
cp "$TESTDATA/torch/rank1.json" ranks/rank10.json
echo 'no profile' >ranks/notes.txt
profkit report -q ranks/rank2.json ranks/rank10.json -o files.html
profkit report -q ranks -o folder.html
profkit report -q 'ranks/rank*.json' -o pattern.html
cmp folder.html files.html
cmp pattern.html files.html
# Sides are files.
status 2 profkit report -o compared.html ranks -- ranks/rank2.json
status 2 profkit report --baseline ranks/rank2.json ranks -o compared.html
