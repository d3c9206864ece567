# Two sides: lines matched by their text although one was added, one removed and one changed; without a
# source by their distance from the begin; functions of one side; several files a side. A file, and the
# lines around one of the side after.
mkdir old new
cat >old/app.py <<'END'
def work(rows):
    total = 0
    for row in rows:
        log(row)
        total += len(row)
    return total
END
cat >new/app.py <<'END'
import sys


def work(rows):
    total = 0
    rows = list(rows)
    for row in rows:
        total += sum(row)
    return total
END
printf 'work (app.py:%d) %d\n' 3 10 4 200 5 50 >before.txt
printf 'gone (app.py:20) 5\n' >>before.txt
printf 'work (app.py:%d) %d\n' 6 30 7 12 8 40 >after.txt
printf 'added (app.py:30) 7\n' >>after.txt
profkit lines -f py-spy --source-before old --source new before.txt -- after.txt
profkit lines -f py-spy --context 1 --source-before old --source new before.txt -- after.txt work
echo == a file, and a line of it
grep -v gone before.txt >b.txt
grep -v added after.txt >a.txt
profkit lines -f py-spy --source-before old --source new b.txt -- a.txt app.py
profkit lines -f py-spy --context 2 --source-before old --source new b.txt -- a.txt app.py:7
profkit lines -f py-spy --format csv --source-before old --source new b.txt -- a.txt app.py:7
status 2 profkit lines -f py-spy b.txt -- a.txt app.py:9
echo == without the source
profkit lines -f py-spy --format csv before.txt -- after.txt work
echo == the source of one side
profkit lines -f py-spy --format csv --source-before old before.txt -- after.txt work
profkit lines -f py-spy --format csv --source new before.txt -- after.txt work
echo == a file without the source: lines are those of the same number
profkit lines -f py-spy --format csv b.txt -- a.txt app.py
profkit lines -f py-spy --format csv --source new b.txt -- a.txt app.py
echo == several
profkit lines -f py-spy --format json --source-before old --source new before.txt before.txt -- after.txt work
status 2 profkit lines -f py-spy --format lcov before.txt -- after.txt
status 2 profkit lines -f py-spy before.txt -- "$TESTDATA/example/before.prof"
status 2 profkit lines before.txt -- "$TESTDATA/example/orders.lprof"
