# A call that is added to a profile of exact counts is found, and the function named.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
python3 - <<'END'
import marshal

def profile(path, added):
    """helper is called 100 times by work, and once more by main."""
    main, work, helper = ("prog.py", 9, "main"), ("prog.py", 6, "work"), ("prog.py", 3, "helper")
    calls = 100 + added
    callers = {work: (100, 100, 0.1, 0.1), **({main: (1, 1, 0.001, 0.001)} if added else {})}
    with open(path, "wb") as file:
        marshal.dump({main: (1, 1, 0.01, 0.21 + 0.001 * added, {}), work: (1, 1, 0.1, 0.2, {main: (1, 1, 0.1, 0.2)}),
                      helper: (calls, calls, 0.001 * calls, 0.001 * calls, callers)}, file)

profile("before.prof", 0)
profile("after.prof", 1)
END
profkit check -q --fail 'calls>0' --baseline before.prof before.prof --format csv | grep calls; echo "status $?"
profkit check -q --fail 'calls>0' --baseline before.prof after.prof --format csv >out.csv || echo "status $?"
grep ^calls out.csv
status 1 profkit check -q --baseline before.prof after.prof --fail 'calls(helper)>0' --report github | grep ::
profkit check -q --baseline before.prof after.prof --fail 'calls(helper)>1' >/dev/null; echo "status $?"
