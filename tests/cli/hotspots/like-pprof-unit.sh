# pprof does not know the unit that austin2pprof writes: it prints the numbers of the file, and counts characters.
LC_ALL=C sed 's/\x0cmicroseconds/\x03\xce\xbcs/' "$TESTDATA/pprof/micro.pb" >austin.pb
for file in "$TESTDATA/pprof/micro.pb" austin.pb; do
	profkit hotspots --like pprof -m 'Wall time' "$file"
	profkit tree --like pprof-traces -m 'Wall time' "$file"
done
profkit diff --like pprof -m 'Wall time' austin.pb austin.pb
# Scaled values are rounded in the unit of the file, too.
LC_ALL=C sed 's/\xdc\x0b/\xc4\x13/' austin.pb >more.pb
profkit diff --like pprof --normalize -m 'Wall time' austin.pb more.pb
profkit hotspots -m 'Wall time' austin.pb
