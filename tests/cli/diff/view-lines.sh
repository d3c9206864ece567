# Lines of both sides, as `lines A -- B` shows them: the source, renamed functions, one that is new; the text
# that a profile brings.
mkdir app
printf 'def work(rows):\n    log(rows)\n    return sum(rows)\n' >app/before.py
printf 'def add(rows):\n    return sum(rows)\n\ndef new():\n    pass\n' >app/after.py
printf 'work (before.py:%d) %d\n' 2 30 3 50 >before.txt
printf 'add (after.py:2) 40\nnew (after.py:5) 9\n' >after.txt
profkit diff -f py-spy --view lines --map work=add --map before.py=after.py --source app before.txt after.txt
profkit diff -f py-spy --view lines --match new --source app --format csv before.txt after.txt
status 2 profkit diff -f py-spy --view lines --match nothing before.txt after.txt
status 2 profkit diff -f py-spy --view lines --fail-on regressed before.txt after.txt
profkit diff --view lines -n 1 "$TESTDATA/scalene/old.json" "$TESTDATA/scalene/old.json"
