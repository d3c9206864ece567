# austin writes how long after the sample before each one was taken: two threads, the second of which
# begins later.
{
    printf '# austin: 3.7.0\n# interval: 1000\n# mode: wall\n'
    for i in $(seq 80); do
        test "$i" -le 40 || printf 'P1;T0:12;app.py:second:5 %d\n' $((1000 + i % 3))
        printf 'P1;T0:11;app.py:first:9 %d\n' $((1000 + i % 3))
        printf 'P1;T0:1;app.py:main:20;threading.py:join:1060 %d\n' $((1000 + i % 3))
    done
} >app.austin
profkit workers app.austin
profkit timeline app.austin -o app.svg && grep -c '<rect' app.svg | grep -vx 0 >/dev/null && echo drawn
