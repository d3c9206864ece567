# Of a pstats file: what a function that waits spends in a lock's acquire waits as well. main works for 10 s, work for 40 s;
# wait takes 5 s and 20 s of the 30 s in acquire, main the other 10 s.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
python3 - <<'END'
import marshal
main, work = ("app.py", 1, "main"), ("app.py", 9, "work")
wait, acquire = ("/usr/lib/python3.11/threading.py", 288, "wait"), ("~", 0, "<method 'acquire' of '_thread.lock' objects>")
def callers(**of): return {name: of[key] for key, name in (("main", main), ("wait", wait)) if key in of}
for file, scale in ("a.prof", 1.0), ("b.prof", 2.0):
    times = {main: (10, 85, {}), work: (40, 40, callers(main=(1, 1, 40 * scale, 40 * scale))),
             wait: (5, 25, callers(main=(1, 1, 5 * scale, 25 * scale))),
             acquire: (30, 30, callers(main=(1, 1, 10 * scale, 10 * scale), wait=(1, 1, 20 * scale, 20 * scale)))}
    marshal.dump({f: (1, 1, own * scale, total * scale, by) for f, (own, total, by) in times.items()}, open(file, "wb"))
END
for rule in "" --classify=work=wait --classify=work=lock; do
	echo "== $rule"
	profkit workers -q --format csv $rule a.prof b.prof
done
