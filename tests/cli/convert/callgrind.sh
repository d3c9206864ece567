# Two metrics are two events of each line. A built-in function is in the file "~", as Python's profiler has it.
cp "$TESTDATA"/pprof/cpu.pb.gz "$TESTDATA"/pstats/cprofile-py313.prof .
profkit convert -q --to callgrind cpu.pb.gz -
profkit convert -q --to callgrind cprofile-py313.prof - | grep -A 3 '~'
# A part of a function that is from another file is written once, whatever the number of events.
cat >callgrind.out.1 <<'END'
# callgrind format
events: ns misses

fl=a.c
fn=f
1 5 1
fi=inc.h
10 2 1
fe=a.c
3 4 1
fi=inc.h
12 3 1
fe=a.c
4 1 1
END
profkit convert -q --to callgrind callgrind.out.1 - | sed -n '/^fl/,$p'
# Valgrind leaves zeros out at the end of sums, but not the first one.
printf '# callgrind format\ncreator: callgrind-3.19.0\nevents: Ir Dr\n\nfn=f\n1 0\n' >callgrind.out.2
profkit convert -q --to callgrind callgrind.out.2 - | grep '^summary\|^totals'
# Other functions without a file are in an unknown file.
printf 'main;work 3\n' >none.folded
profkit convert -q --to callgrind none.folded - | grep '^c\?f[il]='
