# Two ranks, named in any order: words, breakdown, what is odd. Numbers are checked by hand: see testdata/torch/make.py.
profkit gpu -q "$TESTDATA/torch/rank1.json" "$TESTDATA/torch/rank0.json"
echo == a folder
mkdir -p traces/old.json && cp "$TESTDATA"/torch/rank[01].json traces && echo >traces/notes.txt
profkit gpu -q traces >folder.txt
sed 's,traces/,TESTDATA/torch/,' folder.txt | diff - <(profkit gpu -q "$TESTDATA"/torch/rank[01].json | sed "s,$TESTDATA,TESTDATA,") && echo same
echo == a folder of links
mkdir links && ln -s "$PWD/traces/rank0.json" links && profkit gpu -q --view breakdown --format csv links
echo == without ranks, in the order of the numbers in names
mkdir old && for i in 2 10 9; do cp "$TESTDATA/torch/old.json" old/rank$i.json; done
profkit gpu -q --view breakdown old | sed -n '4,6s/,.*//p'
echo == steps are those of the traces that have any
profkit gpu -q --view breakdown "$TESTDATA/torch/rank0.json" "$TESTDATA/torch/old.json" | head -1
