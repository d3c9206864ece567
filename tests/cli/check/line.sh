# A limit for a line: its total, also where other lines of the function changed as much; its metric by
# name; a line that moved; lines that are not there, and rules that are none.
for n in 1 2 3 4 5; do
    printf 'main (app.py:3);work (app.py:12) %d\nmain (app.py:3);work (app.py:14) %d\n' 40$n 90$n >before$n.txt
    printf 'main (app.py:3);work (app.py:12) %d\nmain (app.py:3);work (app.py:14) %d\n' 80$n 50$n >after$n.txt
done
check() {
    profkit check -f py-spy "$@" -b before1.txt -b before2.txt -b before3.txt -b before4.txt -b before5.txt \
        after?.txt
}
check --fail 'total>5%'
status 1 check --fail 'line(app.py:12)>10%'
check --fail 'line(app.py:14).samples > 10%' --fail 'line(app.py:3)>10%'
status 2 check --fail 'line(app.py:99)>10%'
status 2 check --fail 'line(app.py:12).nothing>10%'
status 2 check --fail 'line(app.py)>10%'
status 2 check --fail 'line(app.py:x)>10%'
status 2 check --fail 'line(app.py:12).>10%'
cd "$TESTDATA/example"
status 2 profkit check --fail 'line(orders.py:12)>1%' -b before.prof after.prof
profkit check --fail 'line(orders.py:44).time>1%' -b orders.lprof orders.lprof
