# Names and roots of stackcollapse-perf.pl.
for option in like=stackcollapse-perf pid tid all; do
	profkit convert -q -t folded -O like=stackcollapse-perf -O $option "$TESTDATA/perf-script/symbols.perf" -
done
profkit convert -q -t folded -O addrs -O like=stackcollapse-perf "$TESTDATA/perf-script/symbols.perf" -
# A tab stays, a sample without frames is its root, and the first event is taken.
printf 'a b\tc 1 1.000001: 3 faults:\n\t12 f->g() (/a)\n\t12 h::operator-> (/a)\n\t13 (i) (/a)\n\n' >x.perf
printf 'java 1 1.000002: 2 faults:\n\njava 1 1.000003: 5 cpu-clock:\n\t12 L"a"/b(c)_[i] (/a)\n\n' >>x.perf
profkit convert -q -t folded -O like=stackcollapse-perf x.perf -
profkit convert -q -t folded -O like=stackcollapse-perf -O metric=cpu-clock x.perf -
status 2 profkit convert -t folded -O like=perl x.perf -
# Other formats have such names, too.
profkit convert -q -t folded -O like=stackcollapse-perf "$TESTDATA/folded/annotations.folded" - | head -n 3
