#!/usr/bin/env python3
"""Traces that are too large, too deep or wrong, through a pipe: a message or numbers, in bounded time and
memory. Memory is the peak of the process; address space is limited, too.
"""
import gzip
import json
import os
import resource
import subprocess
import sys
import threading
import time

MB = 1 << 20
SECONDS = 100  # a large limit, because machines that run tests are busy


def event(**members):
    return json.dumps({"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1, **members}).encode()


def array(events):
    return [b"[\n" + b",\n".join(events) + b"\n]"]


def large_event(where):
    text = b"x" * MB
    head, tail = event(**{where: "@"}).split(b"@")
    return [b"[" + event() + b"," + head] + [text] * 300 + [tail + b"," + event(ts=5) + b"]"]


def large_args():
    item = b",".join([b'{"k": "0123456789"}'] * 50000)  # 1 MB
    return [b"[" + event() + b"," + event(ts=3)[:-1] + b', "args": {"list": ['] + [item + b","] * 315 + [
        b"0]}}," + event(ts=5) + b"]"]


def nested(depth):
    head, tail = event(args="@").split(b'"@"')
    return [b"[" + event() + b"," + head + b'{"a":' * depth + b"1" + b"}" * depth + tail + b"," + event(ts=5) + b"]"]


def threads():
    yield b"["
    for i in range(0, 1000000, 1000):
        yield b"".join(b'{"ph":"X","name":"a","pid":%d,"tid":%d,"ts":%d,"dur":1},\n' % (j % 7, j, j)
                       for j in range(i, i + 1000))
    yield b"]"


def twice():
    trace = b"".join(array([event(ts=i * 3) for i in range(100)]))
    return [trace[:-1] + b"," + trace[1:]]


def members():
    one = [b'{"traceEvents": [' + event(ts=i) + b"]}\n" for i in range(3)]
    return [gzip.compress(one[0] + one[1]), gzip.compress(one[2]), gzip.compress(b"[" + event(ts=9) + b",")]


def windows():
    return array([event(name="good"), event(name="@").replace(b"@", rb"C:\Users\new\temp\1.exe"),
                  event(name="@").replace(b"@", b"C:\\Windows\\"), event(name="good", ts=7)])


# What is read; the status; a piece of what is printed; MB at most (of what Python takes for it, too).
CASES = {
    "a name of 300 MB": (lambda: large_event("name"), 0, "name cut", 400),
    "arguments of 300 MB": (large_args, 0, "arguments of more than 16 MB left out", 80),
    "arguments nested 10,000 deep": (lambda: nested(10000), 0, "spans        3", 50),
    "a million deep": (lambda: nested(1000000), 0, "event that is no JSON left out (byte", 50),
    "a million threads": (threads, 0, "threads     1,000,000", 400),
    "a time of 2^63": (lambda: array([event(ts=2 ** 63), event()]), 0, "or too large, left out (byte", 50),
    "a duration of 10^400": (lambda: array([event(dur=10 ** 400), event()]), 0, "duration is no number", 50),
    "negative durations": (lambda: array([event(dur=-1, ts=i) for i in range(1000)]), 0,
                           "negative duration taken as 0 (1,000 times", 50),
    "ends without begins": (lambda: array([event(ph="E", tid=i % 9) for i in range(1000)]), 0,
                            "end without a begin left out (1,000 times", 50),
    "begins without ends": (lambda: array([event(ph="B", tid=i % 9, ts=i) for i in range(1000)]), 0,
                            "begin without an end: ended with its thread (1,000 times", 50),
    "several traces in a gzip stream": (members, 0, "spans       4", 50),
    "no commas": (lambda: [b"[" + b"".join(event(ts=i) for i in range(5)) + b"]"], 0, "spans       5", 50),
    "objects one after the other": (lambda: [b"".join(event(ts=i) for i in range(5))], 0, "spans       5", 50),
    "backslashes of Windows": (windows, 0, "spans        3", 50),
    "the same twice": (twice, 0, "spans       200", 50),
    "a page": (lambda: [b"<!DOCTYPE html><html>[" + event() + b"]</html>"], 2, "no trace as JSON in the page", 50),
    "no events": (lambda: [b'{"otherData": {}, "displayTimeUnit": "ms"}'], 2, "no list of events", 50),
}


def feed(pipe, chunks):
    try:
        for chunk in chunks:
            pipe.write(chunk)
        pipe.close()
    except BrokenPipeError:
        pass


def limit():
    if not os.environ.get("SANITIZE"):
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def run(chunks, command):
    child = subprocess.Popen([os.environ["PROFKIT"], *command, "-f", "chrome", "-"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit)
    feeder = threading.Thread(target=feed, args=(child.stdin, chunks))
    feeder.start()
    text = child.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    feeder.join()
    return os.waitstatus_to_exitcode(status), text, usage.ru_maxrss // 1024


def run_others():
    """The other commands on the cases that are small: a result, or a message where nothing is left."""
    bad = 0
    for name, (make, wanted, _, _) in CASES.items():
        chunks = list(make()) if name != "a million threads" else []
        if not 0 < sum(map(len, chunks)) < MB:
            continue
        for command in (["hotspots"], ["tree"], ["summary"], ["ops"], ["workers"], ["timeline", "-o", "/dev/null"],
                        ["slice", "--time", "0s..1s", "--to", "chrome"], ["convert", "--to", "speedscope"]):
            got, text, memory = run(chunks, command)
            if got not in (0, 1, 2) or (wanted == 2 and got != 2) or (memory > 60 and not os.environ.get("SANITIZE")):
                print(f"{name}, {command[0]}: status {got}, {memory} MB: {text[:300]}")
                bad += 1
    return bad


def main():
    bad = run_others()
    for name, (make, status, piece, most) in CASES.items():
        begin = time.monotonic()
        # Arguments are read only where they are wanted.
        command = ["convert", "-t", "chrome", "-o", "/dev/null"] if "arguments of" in name else ["info"]
        got, text, memory = run(make(), command)
        print(f"{name}: status {got}, {memory} MB, {time.monotonic() - begin:.1f} s")
        wrong = got != status or piece not in text or len(text) > 100000
        if wrong or (memory > most and not os.environ.get("SANITIZE")):
            print(f"    wanted {status}, '{piece}', {most} MB; printed:\n    {text[:600]}")
            bad += 1
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
