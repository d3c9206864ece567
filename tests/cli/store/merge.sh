# All runs of other stores, with labels, meta data and values; what is no store, or broken, is not added.
cp "$TESTDATA"/example/*.prof .
profkit store add -q a.db before.prof --label x --meta commit=1
profkit store add -q a.db after.prof
profkit store remove -q a.db 1
profkit store add -q a.db "$TESTDATA/torch/gpu.json" --label trace --meta commit=2
profkit store add -q b.db before.prof --label y
profkit store merge all.db b.db a.db
profkit store list --format csv all.db
profkit hotspots --format csv all.db@after.prof >one
profkit hotspots --format csv a.db@after.prof >other
cmp one other
profkit gpu -q --format csv all.db@commit=2 >one
profkit gpu -q --format csv a.db@commit=2 >other
cmp one other && wc -l <one
profkit store add -q all.db after.prof
profkit store list --format csv all.db | tail -n 1 | cut -d, -f 1,2
cp all.db before.db
status 2 profkit store merge all.db all.db
status 2 profkit store merge all.db before.prof
status 2 profkit store merge all.db b.db nothing.db
head -c 20000 a.db >cut.db
status 2 profkit store merge all.db cut.db
status 2 profkit store merge all.db
profkit store list --format csv all.db | wc -l
# A store without runs; and very many small runs, each of which takes more pages than its rows fill.
profkit store add -q none.db before.prof
profkit store remove -q none.db 1
profkit store merge all.db none.db
echo 'main;f 5' >small.folded
profkit store add -q small.db small.folded
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	cp small.db same.db
	profkit store merge -q small.db same.db
done
profkit store merge all.db small.db
# A file that is not a store does not become one.
status 2 profkit store merge made.db before.prof
status 2 profkit store merge made.db made.db
ls made.db 2>/dev/null || true
