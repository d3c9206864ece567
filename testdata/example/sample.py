"""Samples a program of this folder every millisecond and prints folded stacks."""
import collections
import runpy
import sys
import threading
import time

stacks = collections.Counter()
done = threading.Event()


def label(frame):
    code = frame.f_code
    return "%s:%s" % (code.co_filename.rpartition("/")[2], code.co_name)


def sample(thread):
    while not done.is_set():
        stack, frame = [], sys._current_frames().get(thread)
        while frame and frame.f_code.co_filename != __file__:
            stack.append(label(frame))
            frame = frame.f_back
        # What runpy adds below the program is of no interest.
        stack = [name for name in reversed(stack) if not name.startswith("<frozen")]
        if stack:
            stacks[";".join(stack)] += 1
        time.sleep(0.001)


sys.setswitchinterval(0.0005)
sampler = threading.Thread(target=sample, args=(threading.get_ident(),))
sampler.start()
for _ in range(10):
    runpy.run_path(sys.argv[1], run_name="__main__")
done.set()
sampler.join()
for stack, count in sorted(stacks.items()):
    print(stack, count)
