# A picture, with names that must not break it.
for i in 1 2 3 4 5 6 7; do
    printf '<a>&"b" %s\n' $((i > 3 ? 150 : 100)) >run.folded
    profkit store add -q --label '<i>&'$i runs.db run.folded
done
profkit history runs.db '<a>&"b"' -o x.svg
cat x.svg
