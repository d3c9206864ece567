#!/usr/bin/env python3
"""Sleeping, waiting for a socket and waiting for a lock are not useful work, as each recorder names them.

A thread or process is in f for 40 of 100 units of time, and in something that waits, which f called, for the rest.
The other one is in f all the time. Names are those of real recordings of viztracer 1.1, py-spy 0.4, austin 3.7,
perf 6.1, pyinstrument 5.1 and cProfile.
"""
import json
import marshal
import os
import subprocess
import sys
import tempfile

PY = "/usr/lib/python3.11/"
BUILTIN = ["time.sleep", "select.select", "select.epoll.poll", "select.poll.poll", "socket._accept", "socket.recv",
           "posix.waitpid", "_queue.SimpleQueue.get"]
LOCKS = ["_thread.lock.acquire", "_thread.lock.__enter__", "_thread.RLock.acquire", "_multiprocessing.SemLock.acquire"]
PYTHON = [("EpollSelector.select", "selectors.py"), ("socket.accept", "socket.py"), ("Condition.wait", "threading.py"),
          ("Popen._try_wait", "subprocess.py"), ("Thread._wait_for_tstate_lock", "threading.py"), ("Queue.get", "queue.py")]
C_WAITS = ["clock_nanosleep", "__GI___poll", "select", "epoll_wait@@GLIBC_2.3.2", "accept4", "__x64_sys_poll", "do_epoll_wait"]
C_LOCKS = ["take_gil", "__GI___pthread_mutex_lock", "__x64_sys_futex", "PyThread_acquire_lock_timed"]
WORK = ["time.time", "select.read", "connect_all", "math.sqrt"]  # as long, and useful all the same


def viztracer(name):
    events = [{"ph": "X", "cat": "fee", "pid": 1, "tid": tid, "ts": 0, "dur": 100, "name": "f (/srv/app.py:1)"} for tid in (2, 3)]
    events.append({"ph": "X", "cat": "fee", "pid": 1, "tid": 2, "ts": 20, "dur": 60, "name": name})
    return json.dumps({"viztracer_metadata": {"version": "1.1.1"}, "traceEvents": events})


def py_spy(name, file):
    frame = f"{name} ({file}:10)" if file else f"{name} (libc.so.6)"
    return (f'process 1:"a";f (app.py:1) 40\nprocess 1:"a";f (app.py:1);{frame} 60\n'
            'process 2:"b";f (app.py:1) 100\n')


def austin(name, file):
    return ("# austin: 3.7.0\n# interval: 10\n# mode: wall\n\n"
            f"P1;T0:2;/srv/app.py:f:1 40\nP1;T0:2;/srv/app.py:f:1;{PY}{file}:{name}:10 60\nP1;T0:3;/srv/app.py:f:1 100\n")


def perf(name):
    lines = []
    for i in range(200):
        tid, place = 2 + i % 2, i // 2
        top = f"\t10 {name}+0x1 (/usr/lib/libc.so.6)\n" if tid == 2 and 20 <= place < 80 else ""
        lines.append(f"app 1/{tid} [000] {1 + place / 1e6:.6f}: 1000 cpu-clock: \n{top}\t20 f+0x1 (/srv/app)\n\n")
    return "".join(lines)


def pstats(name):
    f, main = ("/srv/app.py", 1, "f"), ("/srv/app.py", 9, "main")
    owner, _, method = name.rpartition(".")
    builtin = f"<method '{method}' of '{owner}' objects>" if owner.count(".") or "lock" in owner.lower() else f"<built-in method {name}>"
    stats = {main: (1, 1, 0, 100, {}), f: (1, 1, 40, 100, {main: (1, 1, 40, 100)})}
    return [marshal.dumps({**stats, ("~", 0, builtin): (1, 1, 60, 60, {f: (1, 1, 60, 60)})}),
            marshal.dumps({main: (1, 1, 0, 100, {}), f: (1, 1, 100, 100, {main: (1, 1, 100, 100)})})]


def pyinstrument(name):
    def frame(function, time, children, file="/srv/app.py"):
        return {"function": function, "file_path_short": file, "file_path": file, "line_no": 1, "time": time,
                "await_time": 0, "is_application_code": True, "children": children}
    inner = frame(name, 60, [], "<built-in>")
    return [json.dumps({"start_time": 0, "duration": 100, "sample_count": 100, "target_description": "", "cpu_time": 1,
                        "root_frame": frame("f", 100, children)}).encode() for children in ([inner], [])]


def cases():
    for kind, names in (("wait", BUILTIN), ("overhead", LOCKS), ("useful", WORK)):
        for name in names:
            yield "viztracer", name, [viztracer(name)], ["--by", "thread"], kind
            if kind != "useful":
                yield "cProfile", name, pstats(name), [], kind
    for name, file in PYTHON:
        yield "viztracer", name, [viztracer(f"{name} ({PY}{file}:10)")], ["--by", "thread"], "wait"
        for spelling in (name, name.rpartition(".")[2]):  # before Python 3.11
            yield "py-spy", spelling, [py_spy(spelling, PY + file)], ["-f", "py-spy"], "wait"
            yield "austin", spelling, [austin(spelling, file)], ["--by", "thread"], "wait"
    yield "py-spy", "poll of the program", [py_spy("poll", "/srv/app.py")], ["-f", "py-spy"], "useful"
    for name in ("sleep", "select", "waitpid", "lock.acquire"):
        yield "pyinstrument", name, pyinstrument(name), [], "overhead" if "lock" in name else "wait"
    for kind, names in (("wait", C_WAITS), ("overhead", C_LOCKS), ("useful", ["memcpy", "poll_all"])):
        for name in names:
            yield "perf", name, [perf(name)], ["--workers", "."], kind


def workers(texts, args):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"{i}.txt") for i in range(len(texts))]
        for path, text in zip(paths, texts):
            with open(path, "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())
        command = [os.environ.get("PROFKIT", "./profkit"), "workers", "-q", "--format", "json", *args, *paths]
        ran = subprocess.run(command, capture_output=True, check=False)
    if ran.returncode:
        sys.exit(f"{' '.join(command)}: {ran.stderr.decode()}")
    return json.loads(ran.stdout)["workers"]


def main():
    count, failures = 0, []
    for recorder, name, texts, args, kind in cases():
        undo = [] if kind == "useful" else ["--classify", f"{name.rpartition('.')[2].strip('_')}=useful"]
        for more, want in ((args, kind), (args + undo, "useful")):
            first, second = sorted(workers(texts, more), key=lambda worker: worker["useful"])
            whole = second["useful"] or 1
            share = (first[want] - (.4 * whole if want == "useful" else 0)) / whole
            count += 1
            if abs(share - .6) > .02:
                failures.append(f"{recorder}, {name} {more}: {share:.2f} of the time is {want}, should be 0.6: {first}")
    print("\n".join(failures))
    print(f"{count} ways to wait, {len(failures)} differ")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
