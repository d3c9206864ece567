# Two metrics in one file; only the memory grew: found by rules for memory, in five runs a side; and in a baseline made of them. One
# run tells too little.
make() { # FILE RUN LOAD: microseconds, idle, bytes
    {
        printf '# austin: 3.7.0\n# mode: full\n'
        for i in 1 2 3 4 5 6 7 8 9; do
            printf 'P1;T0:1;app.py:main:1;app.py:part%d:%d %d,0,%d\n' $i $i \
                $((10000 + $2 * 30 + i * $2)) $((100000 + $2 * 200))
            printf 'P1;T0:1;app.py:main:1;app.py:load:20 %d,0,%d\n' \
                $((10000 + $2 * 40)) $(($3 + $2 * 500))
        done
    } >"$1"
}
for run in 1 2 3 4 5; do
    make before$run.austin $run 400000
    make after$run.austin $((6 - run)) 500000
done
profkit check -q --baseline before1.austin after1.austin --fail 'memory>5%' --format csv
echo "status $?"
set --
for run in 1 2 3 4 5; do
    set -- "$@" --baseline before$run.austin
done
profkit check "$@" after?.austin --format csv || echo "status $?"
profkit check "$@" after?.austin --fail 'memory(load)>10%' --fail 'memory(main)>0' \
    --fail 'memory>2MB' --fail 'memory>300KB' --format csv || echo "status $?"
profkit check -q --baseline team.baseline --update-baseline before?.austin
profkit check --baseline team.baseline after?.austin --fail 'memory>5%' --format csv || echo "status $?"
