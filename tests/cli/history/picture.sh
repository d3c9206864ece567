# A picture, with names that must not break it.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    printf '<a>&"b" %s\n' $((i > 4 && i < 9 ? 150 : 100)) >run.folded
    profkit store add -q --label '<i>&'$i runs.db run.folded
done
profkit history runs.db '<a>&"b"' -o x.svg
cat x.svg
# The axis of values below 0 has its numbers at the same steps.
for value in -35 -60; do
    printf '# callgrind format\nevents: ns\n\nfn=f\n1 %s\n' $value >run.out
    profkit store add -q --label r$value below.db run.out
done
profkit history below.db f -o below.svg
sed -n '/class="grid"/,/<\/g>/p' below.svg
# They are in the unit of the values.
for value in 3500000 6000000; do
    printf '# callgrind format\nevents: ns\n\nfn=f\n1 %s\n' $value >run.out
    profkit store add -q --label r$value above.db run.out
done
profkit history above.db f -o above.svg
sed -n '/class="grid"/,/<\/g>/p' above.svg
