"""record.py OUTPUT [ARGUMENT...]: cProfile of workload.py in seconds of processor time, which
other programs on the machine disturb less."""
import cProfile
import sys
import time

output = sys.argv[1]
sys.argv = ["workload.py"] + sys.argv[2:]
with open("workload.py") as f:
    code = compile(f.read(), "workload.py", "exec")
profiler = cProfile.Profile(time.process_time)
try:
    names = {"__name__": "__main__"}
    profiler.runctx(code, names, names)
finally:
    profiler.dump_stats(output)
