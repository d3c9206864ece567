# Parts from machines of different speeds: --machine scales what computes and not what waits; the whole and totals by what both make.
mkdir a b
python3 - <<'END'
import marshal
seed = 11
def noise():
    global seed
    seed = seed * 16807 % 2147483647
    return 1 + 0.03 * (2 * seed / 2147483647 - 1)
def function(name, calls, seconds, total, caller=("train.py", 1, "main")):
    return {name: (calls, calls, seconds, total, {caller: (calls, calls, seconds, total)})}
for side, speed in ("a", 1), ("b", 1.5):
    for run in range(12):
        stats = {}
        for line, (name, ms) in enumerate(dict(load=300, decode=200, forward=800, backward=1200, reduce=400, save=100).items()):
            seconds = round(ms / 1000 * speed * noise(), 6)
            stats |= function(("train.py", 10 + line, name), 5, seconds, seconds)
        sleep, fetch = round(3 + noise() / 1000, 6), ("train.py", 30, "fetch")
        stats |= function(("~", 0, "<built-in method time.sleep>"), 3, sleep, sleep, fetch)
        seconds = round(0.5 * speed * noise(), 6)
        stats |= function(fetch, 3, seconds, seconds + sleep)
        stats["train.py", 1, "main"] = (1, 1, 0.0, sum(s[2] for s in stats.values()), {})
        with open(f"{side}/{run}.prof", "wb") as file:
            marshal.dump(stats, file)
END
for side in a b; do profkit reduce -q -o $side.db $side; done
profkit diff -q --no-changed a.db b.db
profkit diff -q --no-changed --machine a.db b.db
echo == totals, with the waits in them as they are
profkit diff -q --no-changed --measure total --machine a.db b.db
echo == from the runs
profkit diff -q --no-changed --measure total --machine a/*.prof -- b/*.prof
