# Names that a shell made of before?.prof: the others of the series would be runs after the change.
for i in 1 2 3; do
    cp "$TESTDATA/example/before.prof" before$i.prof
    cp "$TESTDATA/example/after.prof" after$i.prof
done
status 2 profkit check -b before?.prof after?.prof
profkit check -q -b before1.prof -b before2.prof -b before3.prof after?.prof | head -n 3
echo "-- a baseline and later runs of one series"
profkit check -q -b after1.prof after2.prof after3.prof | head -n 1
