# A call that is added to a profile of exact counts is found, and the function named. Whether the note
# tells the number of calls depends on the times of these runs.
unnumbered() { sed 's/101 calls instead of 100, //'; }
cat >prog.py <<'END'
import sys

def helper(n):
    return n + 1

def work(n):
    return sum(helper(i) for i in range(n))

def main():
    work(100)
    if len(sys.argv) > 1:
        helper(1)

main()
END
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
python3 -m cProfile -o before.prof prog.py
python3 -m cProfile -o after.prof prog.py more
profkit check -q --fail 'calls>0' --baseline before.prof before.prof --format csv | grep calls; echo "status $?"
profkit check -q --fail 'calls>0' --baseline before.prof after.prof --format csv >out.csv || echo "status $?"
grep ^calls out.csv | unnumbered
status 1 profkit check -q --baseline before.prof after.prof --fail 'calls(helper)>0' --report github |
    grep :: | unnumbered
profkit check -q --baseline before.prof after.prof --fail 'calls(helper)>1' >/dev/null; echo "status $?"
