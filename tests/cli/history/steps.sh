# Where values over the runs of a store changed, in every notation; calls exactly.
time=(1000 1012 995 1004 1008 990 1310 1290 1301 1306)
for i in "${!time[@]}"; do
    printf 'main;parse %s\nmain;load 500\n' "${time[i]}" >run.folded
    profkit store add -q --label commit=c$i runs.db run.folded
done
profkit history runs.db
profkit history runs.db parse
profkit history --measure total runs.db main --format csv
profkit history runs.db load --format json | tail -n +15 | head -n 7
profkit history -n 2 runs.db parse
for run in run-a1 run-a2 run-a3 often; do
    profkit store add -q --meta commit=of-$run calls.db "$TESTDATA/diff/$run.prof"
done
profkit store remove -q calls.db 2
profkit history -m calls calls.db
profkit history calls.db --format json | sed -n '/metric/,/steps/p'
