# The title says which bytes: a file of memory has several.
title() { grep -o '<text id="title".*' | sed 's/.*>\(.*\)<.*/\1/'; }
profkit flamegraph "$TESTDATA/memray/all.bin" | title
profkit flamegraph -m leaked "$TESTDATA/memray/all.bin" | title
profkit flamegraph -m peak_allocations "$TESTDATA/memray/all.bin" | title
profkit flamegraph -m leaked --diff "$TESTDATA/memray/all.bin" "$TESTDATA/memray/lz4.bin" | title
# A chart of a metric is as wide as its flame graph, also where only another metric has samples.
profkit flamegraph --chart -m leaked "$TESTDATA/memray/all.bin" | title
profkit convert "$TESTDATA/memray/all.bin" -o all.db 2> convert.notes
profkit flamegraph --chart -m leaked all.db | title
profkit flamegraph --chart -m peak all.db | title
# What functions added, less what they freed: a picture shows what is above 0, and its shares say so; it is read back as bytes.
profkit flamegraph -m increment "$TESTDATA/mprof/marked.dat" -o increment.svg
grep -o '<title>[^<]*\|id="title"[^<]*\|id="details"[^<]*' increment.svg | sed 's/.*>//'
profkit hotspots -q --format csv increment.svg | cut -d , -f 1,8,9
