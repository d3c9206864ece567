# A line that is new between two that stay has nothing before; the first line stays, and is listed once.
mkdir app
printf 'def work(rows):\n    log(rows)\n    return sum(rows)\n' >app/before.py
printf 'def work(rows):\n    log(rows)\n    check(rows)\n    return sum(rows)\n' >app/after.py
printf 'work (before.py:%d) %d\n' 1 20 2 30 3 50 >before.txt
printf 'work (after.py:%d) %d\n' 1 20 2 30 3 7 4 50 >after.txt
profkit diff -q -f py-spy --view lines --map before.py=after.py --source app --format csv before.txt after.txt
