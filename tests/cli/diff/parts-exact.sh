# Counts of parts are exact if all runs of a side agree: calls of pstats, one more call in one of the runs.
mkdir a b c
python3 - <<'EOF'
import marshal
for side, calls in ("a", (7, 7, 7)), ("b", (8, 8, 8)), ("c", (7, 7, 8)):
    for i in range(3):
        f, main, n = ("a.py", 3, "f"), ("a.py", 1, "main"), calls[i]
        # times differ, since equal runs are added once
        stats = {main: (1, 1, 1 + i / 100, 5 + i / 100, {}), f: (n, n, 4.0, 4.0, {main: (n, n, 4.0, 4.0)})}
        with open(f"{side}/{i}.prof", "wb") as out:
            marshal.dump(stats, out)
EOF
for side in a b c; do
	profkit reduce -q -o $side.db $side
done
profkit diff --measure calls --format csv a.db b.db | cut -d, -f 1,5-8,14
profkit diff --measure calls --format csv a.db c.db | cut -d, -f 1,5-8,14
status 1 profkit check --fail 'calls(f)>0' --baseline a.db b.db
status 1 profkit check --fail 'calls(f)>0' --baseline a.db c.db
