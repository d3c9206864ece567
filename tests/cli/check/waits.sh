# Runs of a program that mostly sleeps, on machines of other speeds. What waits is not divided by the speed, also within totals:
# equal programs pass, and a program that works or waits longer fails.
python3 - <<'PYTHON'
import marshal, os
seed = 1
def noise():
    global seed
    seed = seed * 16807 % 2147483647
    return 1 + 0.01 * (2 * seed / 2147483647 - 1)
MAIN, FETCH, SLEEP = ("train.py", 1, "main"), ("train.py", 30, "fetch"), ("~", 0, "<built-in method time.sleep>")
def run(speed, work, wait):
    stats = {}
    def function(name, calls, self, total, caller=MAIN):
        stats[name] = (calls, calls, self, total, {caller: (calls, calls, self, total)})
    for line, (name, ms) in enumerate(dict(load=300, decode=200, forward=800, backward=1200, reduce=400, save=100).items()):
        time = round(ms / 1000 * speed * noise() * (work if name == "backward" else 1), 6)
        function(("train.py", 10 + line, name), 5, time, time)
    asleep, time = round(9 * wait + noise() / 1000, 6), round(0.5 * speed * noise(), 6)
    function(SLEEP, 3, asleep, asleep, FETCH)
    function(FETCH, 3, time, time + asleep)
    stats[MAIN] = (1, 1, 0.0, sum(s[2] for s in stats.values()), {})
    return stats
for folder, speed, work, wait in (("base", 1, 1, 1), ("same-fast", 0.7, 1, 1), ("same-slow", 1.5, 1, 1), ("work-fast", 0.7, 2, 1),
                                  ("work-slow", 1.5, 2, 1), ("wait-fast", 0.7, 1, 1.5), ("wait-slow", 1.5, 1, 1.5), ("longer-slow", 1.5, 1, 1.8)):
    os.mkdir(folder)
    for i in range(6):
        with open(f"{folder}/{i}.prof", "wb") as file:
            marshal.dump(run(speed, work, wait), file)
PYTHON
verdicts() { # FOLDER FILE...: of the files, compared with those of the array `base`
    profkit check -q "${base[@]}" "${@:2}" --format csv --fail 'total(main)>5%' --fail 'total(fetch)>5%' --fail 'self(re:sleep)>5%' \
        --fail 'total(backward)>5%' --fail 'total>5%' >out.csv && status=0 || status=$?
    python3 -c '
import csv, sys
print(sys.argv[1] + ":", *(row["rule"][:-3].replace("re:", "") + " " + row["verdict"] + (row["ratio"] and " %.2f" % float(row["ratio"])) + ","
      for row in csv.DictReader(open("out.csv"))), "status", sys.argv[2])' "$1" $status
}
folders='same-fast same-slow work-fast work-slow wait-fast wait-slow longer-slow'
base=(-b base/0.prof)
echo == one run
for folder in $folders; do verdicts $folder $folder/0.prof; done
for i in {1..5}; do base+=(-b base/$i.prof); done
echo == six runs
for folder in $folders; do verdicts $folder $folder/*.prof; done
echo == parts
base=(-b base.db)
for folder in base $folders; do profkit reduce -q -o $folder.db $folder; done
for folder in $folders; do verdicts $folder $folder.db; done
echo == from a baseline, which knows no callers
base=(-b base.baseline)
for folder in base same-fast same-slow; do profkit check -q -b $folder.baseline --update-baseline $folder/*.prof; done
for folder in $folders; do verdicts $folder $folder/*.prof; done
echo == to a baseline
for folder in same-fast same-slow; do
    verdicts $folder $folder.baseline
    profkit check -q -b base.baseline $folder.baseline --fail 'total(fetch)>5%' | tail -n 4
done
echo == a baseline is not lowered by the speed of the machine
for folder in same-fast same-slow; do
    cp base.baseline lowered.baseline
    profkit check --ratchet -b lowered.baseline $folder/*.prof --fail 'self>5%' --format csv
    cmp base.baseline lowered.baseline
done
echo == a caller is no finding beside its callee, also where the machine made it faster
for folder in work-fast work-slow wait-fast; do
    profkit check -q $(printf -- '-b %s ' base/*.prof) $folder/*.prof --fail 'total(re:.)>5%' --format csv | cut -d, -f 1-3 | tail -n +2 || echo "status $?"
done
