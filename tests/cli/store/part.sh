# A part stays one sum: no run is added beside it. A store can have parts as runs, under the names of their files.
echo 'main;f 5' >a.folded
echo 'main;f 7' >b.folded
profkit reduce -q -o ab.part a.folded b.folded
profkit reduce -q -o ab.db a.folded b.folded
status 2 profkit store add new.part a.folded
ls new.part 2>/dev/null || true
status 2 profkit store add ab.part a.folded
status 2 profkit store add ab.db a.folded
profkit store add runs.db ab.part
profkit store add runs.db ab.db
profkit store list --format csv runs.db | cut -d, -f 1,2,7
profkit store merge merged.db ab.part ab.db
profkit store list --format csv merged.db | cut -d, -f 1,2,7
status 2 profkit store merge ab.db runs.db
status 2 profkit store merge ab.part runs.db
profkit hotspots -q --format csv ab.db
profkit store add -q runs.db a.folded
status 2 profkit hotspots runs.db
profkit reduce -q -o sum.db runs.db@ab.part b.folded
profkit hotspots -q --format csv --limit 1 sum.db | tail -n 1 | cut -d, -f 1,8,14
