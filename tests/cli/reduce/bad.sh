# Parts of other versions, half-written ones, and units that differ.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
echo "main;f 5" >a.folded
echo "main;f 7" >b.folded
profkit reduce -q -o a.db a.folded
profkit reduce -q -o b.db b.folded
cp a.db newer.db
sql newer.db "pragma user_version = 99"
status 2 profkit merge -o out.db newer.db b.db
status 2 profkit diff newer.db b.db
# one of version 5 lacks what parts know since: it is read, and added
cp a.db older.db
sql older.db "alter table spread drop column products_high; alter table spread drop column products_middle; alter table spread drop column products_low;
	alter table spread drop column calls_least; alter table spread drop column calls_most; alter table member_total drop column calls;
	drop table gpu_step; drop table collective; pragma user_version = 5"
profkit merge -q -o sum.db older.db b.db
profkit hotspots --format csv sum.db
profkit diff older.db b.db
profkit query --format csv sum.db "select distinct products_high, calls_least from spread"
profkit check --baseline sum.db b.db a.db
# half of a file, and rows that are missing
head -c 20000 a.db >half.db
status 2 profkit merge -o out.db half.db b.db
status 2 profkit diff half.db b.db
cp a.db lost.db
sql lost.db "delete from member_total"
status 2 profkit diff lost.db b.db
cp a.db twice.db
sql twice.db "update spread set runs = -1"
status 2 profkit hotspots twice.db
# samples and seconds
profkit reduce -q -o time.db "$TESTDATA/pstats/names.prof"
status 2 profkit diff time.db b.db
status 2 profkit check --baseline time.db b.db
profkit reduce -q -o both.db time.db b.db
profkit query --format csv both.db "select s.text as metric, count(*) as runs from member_total join metric on
	metric.id = member_total.metric join string s on s.id = metric.name group by 1 order by 1"
[ ! -e out.db ]
# callers alone, and call paths
echo '[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"f"}]' >trace.json
cp "$TESTDATA/pstats/names.prof" .
status 2 profkit reduce -o out.db trace.json names.prof
[ ! -e out.db ]
