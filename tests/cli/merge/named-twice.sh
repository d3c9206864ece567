# A file that is named twice, by one name or several, counts twice, and a message says so; in a part it counts once.
echo "main 5" >a.folded
echo "main 7" >b.folded
profkit merge --to folded -o - b.folded a.folded b.folded a.folded a.folded
profkit hotspots --format csv a.folded a.folded
profkit reduce -o part.db a.folded a.folded
ln -s a.folded link.folded
profkit merge --to folded -o - a.folded ./a.folded link.folded b.folded
