# Every command and every page has its text.
for topic in profkit hotspots top info convert query output; do
    profkit help $topic | head -n 1
done
# Of two pages with one name, both are shown.
profkit help formats | grep '^PROFKIT'
profkit help store | grep '^PROFKIT'
