# One run of three has one more call. Before, all runs agree, so that this is a change; with one run before that is not known.
python3 - <<'END'
import marshal
def write(name, calls):
    marshal.dump({("app.py", 1, "main"): (1, 1, 0.1, 1.0, {}),
                  ("app.py", 9, "f"): (calls, calls, 0.5, 0.9, {("app.py", 1, "main"): (calls, calls, 0.5, 0.9)}),
                  ("app.py", 20, name): (1, 1, 0.01, 0.01, {})}, open(name + ".prof", "wb"))
for name, calls in {"b1": 5, "b2": 5, "b3": 5, "a1": 5, "a2": 5, "a3": 6, "v1": 5, "v2": 6, "v3": 5, "c": 5}.items():
    write(name, calls)
END
before="-b b1.prof -b b2.prof -b b3.prof"
for rule in 'calls(f)>0' 'calls(f)>10%' 'calls(f)>20%' 'calls>0'; do
	echo "$rule"
	profkit check $before --fail "$rule" a1.prof a2.prof a3.prof >report || echo "status $?"
	tail -n +4 report
done
echo 'one run before'
profkit check -b b1.prof --fail 'calls(f)>0' a1.prof a2.prof a3.prof
echo 'before, too'
profkit check -b v1.prof -b v2.prof -b v3.prof --fail 'calls(f)>0' a1.prof a2.prof a3.prof
echo 'of parts'
profkit reduce -q -o b.db b?.prof
profkit reduce -q -o a.db a?.prof
status 1 profkit check -b b.db --fail 'calls(f)>0' a.db
