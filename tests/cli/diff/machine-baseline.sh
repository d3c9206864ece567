# A baseline knows no callers: --machine takes what waits in its totals from the other side, as far as its sums allow that.
python3 - <<'PYTHON'
import marshal
MAIN, FETCH, SLEEP = ("a.py", 1, "main"), ("a.py", 9, "fetch"), ("~", 0, "<built-in method time.sleep>")
for name, speed in ("before", 1), ("after", 0.5):
    work = [("a.py", 10 + i, f"f{i}") for i in range(6)]
    stats = {f: (2, 2, speed, speed, {MAIN: (2, 2, speed, speed)}) for f in work}
    stats[SLEEP] = (1, 1, 8.0, 8.0, {FETCH: (1, 1, 8.0, 8.0)})
    stats[FETCH] = (1, 1, speed, speed + 8, {MAIN: (1, 1, speed, speed + 8)})
    stats[MAIN] = (1, 1, speed, 8 * speed + 8, {})
    with open(name + ".prof", "wb") as file:
        marshal.dump(stats, file)
PYTHON
profkit convert -q before.prof -o before.baseline
profkit convert -q after.prof -o after.baseline
for before in before.prof before.baseline; do
    profkit diff -q --machine --no-changed --measure total $before after.prof
done
echo == of neither side
profkit diff -q --machine --measure total before.baseline after.baseline | tail -n +6
