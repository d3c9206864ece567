# A run that comes twice; parts that share runs; a part and a profile; benchmarks; nothing.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
echo "main;f 1" >a.folded
echo "main;f 2" >b.folded
echo "main;f 3" >c.folded
cp a.folded d.folded
profkit reduce -o all.db a.folded b.folded d.folded
profkit reduce -q -o ab.db a.folded b.folded
cmp ab.db all.db && echo same
profkit reduce -q -o bc.db b.folded c.folded
profkit reduce -q -o ac.db a.folded c.folded
for pair in "ab.db bc.db" "bc.db ab.db" "ac.db bc.db" "bc.db ac.db" "ab.db ac.db" "ac.db ab.db"; do
	status 2 profkit merge -o more.db $pair
done
status 2 profkit merge -o more.db ab.db c.folded
status 2 profkit merge -o more.db c.folded ab.db
profkit reduce -o more.db ab.db c.folded b.folded && profkit convert --to folded more.db
status 2 profkit reduce -o none.db "$TESTDATA/pyperf/suite.json"
mkdir empty
status 2 profkit reduce -o none.db empty
head -c 3000 more.db >half.db
status 2 profkit merge -o none.db half.db more.db
sql more.db "update bucket set bucket = 99999"
status 2 profkit merge -o none.db more.db
# Of a run under two names, the first name in the order of bytes is kept, whichever comes first.
profkit reduce -q -o a.db a.folded
profkit reduce -q -o d.db d.folded
for pair in "a.db d.db" "d.db a.db" "d.folded a.folded" "d.db a.folded" "a.folded d.db"; do
	profkit reduce -q --force -o either.db $pair
	cmp a.db either.db
done
profkit query -q --format csv either.db "select text from member join string on string.id = member.name where text > ''"
# The name .part is for parts alone, whichever command writes it.
profkit merge -q -o a.part a.db && cmp a.part a.db
profkit merge -q -o ac.part.zst ac.db && profkit convert ac.part.zst ac.part && cmp ac.part ac.db
status 2 profkit merge -o two.part a.folded b.folded
status 2 profkit convert a.folded two.part.zst
# A part that comes twice: one line, however many runs it has.
profkit merge --force -o ac.part ac.db ./ac.db && cmp ac.part ac.db
# A part of several formats.
profkit reduce -q -o formats.db a.folded "$TESTDATA/example/before.prof"
profkit info formats.db | grep '^format'
