"""Prints the trace events of a small server: requests, queries, a counter. Always the same."""
import json

state = 1


def roll(least, most):
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return least + state % (most - least)


events = []


def put(ph, name, tid, ts, cat="http", **more):
    events.append({"ph": ph, "name": name, "cat": cat, "pid": 4711, "tid": tid, "ts": ts / 1000, **more})


def span(name, tid, begin, end, cat="http", **more):
    put("X", name, tid, begin, cat, dur=(end - begin) / 1000, **more)


def name(what, tid, text):
    events.append({"ph": "M", "name": what, "pid": 4711, "tid": tid, "args": {"name": text}})


name("process_name", 4711, "shop")
name("thread_name", 4711, "main")
for worker in (1, 2, 3):
    name("thread_name", 4711 + worker, f"worker {worker}")
free = {1: 0, 2: 0, 3: 0}
used = 2000
now = 1000
for request in range(60):
    now += roll(20_000, 900_000)
    worker = min(free, key=free.get)
    tid = 4711 + worker
    begin = max(now + roll(5_000, 20_000), free[worker])
    accept = now + roll(3_000, 9_000)
    span("accept", 4711, now, accept)
    put("s", "dispatch", 4711, now + 1000, "dispatch", id=request)
    page = ("list", "search", "order")[roll(0, 3)]
    at = begin + roll(10_000, 60_000)
    inner = []
    for query in range(roll(1, 5)):
        length = roll(30_000, 700_000) * (4 if page == "search" else 1)
        inner.append(("query", at, at + length, "db", {"sql": f"select {query}", "rows": roll(0, 500)}))
        at += length + roll(1_000, 40_000)
    render = at + roll(50_000, 300_000)
    inner.append(("render", at, render, "http", {"template": page + ".html"}))
    end = render + roll(5_000, 30_000)
    span(f"GET /{page}", tid, begin, end, args={"request": request, "status": 200 if roll(0, 20) else 500})
    put("f", "dispatch", tid, begin + 1000, "dispatch", id=request, bp="e")
    for what, b, e, cat, args in inner:
        span(what, tid, b, e, cat, args=args)
    used += roll(100, 400)
    if used > 6000:
        span("collect garbage", tid, render, render + 4_000, "gc")
        put("i", "memory low", tid, render, "gc", s="t")
        used = 2000
    put("C", "memory", 4711, end, args={"used": used, "cached": 500 + roll(0, 300)})
    free[worker] = end
print('{"traceEvents": [')
print(",\n".join(json.dumps(e) for e in events))
print('],\n"displayTimeUnit": "ms", "otherData": {"program": "shop", "version": "2.1"}}')
