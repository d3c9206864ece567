# A file that is named twice counts twice, and a message says so; in a part it counts once.
echo "main 5" >a.folded
echo "main 7" >b.folded
profkit merge --to folded -o - b.folded a.folded b.folded a.folded a.folded
profkit hotspots --format csv a.folded a.folded
profkit reduce -o part.db a.folded a.folded
