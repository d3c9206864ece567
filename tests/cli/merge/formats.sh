# Profiles of different formats have different metrics; both are kept where that is possible.
cp "$TESTDATA/example/before.prof" "$TESTDATA/example/orders.folded" .
profkit merge -o both.db before.prof orders.folded
profkit info both.db --format csv | grep -E 'metric|format'
profkit hotspots both.db --format csv -n 1 | tail -n 1 | cut -d , -f 1,8
profkit hotspots both.db -m 2 --format csv -n 1 | tail -n 1 | cut -d , -f 1,8
echo == two metrics of one name, the largest value and the last one, are two in each copy
profkit merge -q "$TESTDATA/mprof/marked.dat" "$TESTDATA/memray/all.bin" -t store -o peaks.db
for choice in "" "--focus ."; do
    profkit query -q --format csv $choice peaks.db "select text, aggregate from metric m join string s on s.id = m.name where text = 'peak'"
done
