# Hits of lines and numbers of allocations count different things, and are not compared.
for pair in "line-profiler/kernprof.lprof memray/all.bin" "memray/all.bin line-profiler/kernprof.lprof"; do
    set -- $pair
    status 2 profkit diff "$TESTDATA/$1" "$TESTDATA/$2"
done
