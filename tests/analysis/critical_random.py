#!/usr/bin/env python3
"""Random small traces of GPUs: the critical path is computed again here, slowly: at each point of the way back all
events are looked at, without graph, order and search. Each part of the path must be equal, and they must add up.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

TRACES = 200
BASE = 1700000000000000000
SKEW, SHORT, LATE = 20000, 30000, 100000
HOST_OPERATORS, HOST_CALLS, HOST_OTHER, DATA = "host_operators", "host_calls", "host_other", "data_loading"
KINDS = {"gemm": "computation", "ncclDevKernel_AllReduce": "communication", "Memcpy DtoH (Device -> Pageable)": "copy",
         "Memcpy DtoH (Device -> Pinned)": "copy"}
CALLS = 7 * ["cudaLaunchKernel"] + 3 * ["cudaStreamWaitEvent"] + 2 * ["cudaMemcpyAsync", "cudaEventRecord"] + [
    "cudaStreamSynchronize", "cudaEventSynchronize", "cudaDeviceSynchronize", "cudaMalloc", "cudaMalloc"]
failures = []


def check(what, is_, should):
    if is_ != should:
        failures.append(f"{what}:\n  is {is_}\n  should be {should}")


def brackets(rng, pairs):
    """A nesting as (begin, end, depth) in places from 0."""
    spans, stack, place = [], [], 0
    while pairs or stack:
        if pairs and (not stack or (len(stack) < 4 and rng.random() < 0.45)):
            stack.append(place)
            pairs -= 1
        else:
            spans.append((stack.pop(), place, len(stack)))
        place += 1
    return spans


class Trace:
    """Host spans (thread, begin, end, kind, name, id), works, rows of cuda_sync; all times differ."""

    def __init__(self, rng):
        self.rng, self.used = rng, set()
        self.scale = rng.choice([1000, 4000])
        self.host, self.works, self.rows = [], [], []
        self.threads = [1, 2] if rng.random() < 0.4 else [1]
        for thread in self.threads:
            self.make_thread(thread)
        self.id = {s["id"]: s for s in self.host}
        self.make_works()
        self.make_rows()

    def free(self, time):
        while time in self.used:
            time += 1
        self.used.add(time)
        return time

    def make_thread(self, thread):
        rng, pairs = self.rng, self.rng.randint(1, 40 if thread == 1 else 8)
        times = sorted(self.free(t * self.scale) for t in rng.sample(range(40, 400), 2 * pairs))
        nest = brackets(rng, pairs)
        for begin, end, depth in sorted(nest):
            leaf = end == begin + 1
            if leaf and (thread == 1 or depth) and rng.random() < 0.2:
                kind, name = "cuda_runtime", "cudaMalloc" if rng.random() < 0.5 else "cudaLaunchKernel"
            elif thread == 2 and depth == 0:
                kind, name = "cpu_op", "autograd::engine::evaluate_function: MmBackward0"
            elif leaf and rng.random() < 0.7:
                kind, name = "cuda_runtime", rng.choice(CALLS)
            else:
                kind, name = rng.choice([("cpu_op", "aten::mm"), ("cpu_op", "aten::add"), ("user_annotation", "forward"),
                                         ("user_annotation", "enumerate(DataLoader)#_Iter.__next__")])
            self.host.append({"thread": thread, "begin": times[begin], "end": times[end], "kind": kind, "name": name,
                              "id": len(self.host) + 1})

    def make_works(self):
        rng, at = self.rng, {}
        for call in sorted((s for s in self.host if s["name"] in ("cudaLaunchKernel", "cudaMemcpyAsync")),
                           key=lambda s: s["begin"]):
            if rng.random() < 0.1:
                continue
            stream = rng.choice([7, 7, 20, 21])
            early = call["begin"] + rng.randint(-2 if rng.random() < 0.1 else 0, 30) * self.scale
            start = max(early, at.get(stream, 0) + rng.choice([1, 1, rng.randint(1, 40)]) * self.scale)
            if rng.random() < 0.1:
                start = early  # may overlap
            begin = self.free(start)
            end = self.free(begin + rng.randint(1, 60) * self.scale)
            name = rng.choice(list(KINDS)[:2] if call["name"] == "cudaLaunchKernel" else list(KINDS)[2:])
            at[stream] = max(end, at.get(stream, 0))
            unknown = rng.random() < 0.1
            self.works.append({"stream": stream, "begin": begin, "end": end, "name": name,
                               "call": None if unknown else call["id"]})
        if not self.works:
            begin = self.free(100 * self.scale)
            self.works.append({"stream": 7, "begin": begin, "end": self.free(begin + 9 * self.scale), "name": "gemm",
                               "call": None})

    def make_rows(self):
        rng = self.rng
        records = [s["id"] for s in self.host if s["name"] == "cudaEventRecord"]
        for call in self.host:
            if rng.random() < 0.25 or call["name"] not in ("cudaStreamWaitEvent", "cudaStreamSynchronize",
                                                           "cudaEventSynchronize"):
                continue
            later = [w["stream"] for w in self.works if w["call"] and self.id[w["call"]]["begin"] > call["begin"]]
            row = {"call": call["id"], "stream": rng.choice(later or [7, 20, 21]), "on": None, "record": None}
            if call["name"] != "cudaStreamSynchronize" and records:
                row.update(on=rng.choice([7, 20, 21]), record=rng.choice(records))
            self.rows.append(row)
        for w in self.works:  # some wait indeed
            for before in self.waits_of_work(w):
                w["begin"] = self.free(before["end"] + rng.randint(1, 12) * self.scale)
                w["end"] = self.free(w["begin"] + rng.randint(1, 60) * self.scale)

    def write(self, path):
        events = []

        def span(category, name, start, end, pid, tid, **args):
            events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start / 1000,
                           "dur": (end - start) / 1000, "args": args})
        for s in self.host:
            span(s["kind"], s["name"], s["begin"], s["end"], 50, 50 + s["thread"],
                 **({"correlation": s["id"]} if s["kind"] == "cuda_runtime" else {}))
        for number, w in enumerate(self.works):
            span("gpu_memcpy" if "Memcpy" in w["name"] else "kernel", w["name"], w["begin"], w["end"], 0, w["stream"],
                 stream=w["stream"], correlation=w["call"] or 100000 + number)
        for stream in (7, 20, 21):  # so that each is known
            events.append({"ph": "M", "name": "thread_name", "pid": 0, "tid": stream, "args": {"name": f"stream {stream}"}})
        for r in self.rows:
            call = self.id[r["call"]]
            on = {} if r["on"] is None else {"wait_on_stream": r["on"], "wait_on_cuda_event_record_corr_id": r["record"]}
            span("cuda_sync", "Sync", call["begin"], call["end"], 0, r["stream"], stream=r["stream"],
                 correlation=r["call"], **on)
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps({"schemaVersion": 1, "deviceProperties": [], "baseTimeNanoseconds": BASE, "traceEvents": events}))

    # Nodes are (what, "begin" or "end").

    def parent(self, s):
        around = [o for o in self.host if o["thread"] == s["thread"] and o["begin"] < s["begin"] and s["end"] < o["end"]]
        return max(around, key=lambda o: o["begin"]) if around else None

    def class_of(self, s):
        if s is None:
            return HOST_OTHER
        outer = self.parent(s)
        if "DataLoader" in s["name"] or (outer and self.class_of(outer) == DATA):
            return DATA
        if s["kind"] in ("cpu_op", "cuda_runtime"):
            return HOST_OPERATORS if s["kind"] == "cpu_op" else HOST_CALLS
        return self.class_of(outer)

    def operator(self, s):
        while s is not None and s["kind"] != "cpu_op":
            s = self.parent(s)
        return s["name"] if s else None

    def running(self, s, side):
        return s if side == "end" else self.parent(s)

    def launched(self, stream, call_times):
        """Works that the stream got, by launch."""
        works = [w for w in self.works if w["call"] and w["stream"] == stream and call_times(self.id[w["call"]]["begin"])]
        return sorted(works, key=lambda w: self.id[w["call"]]["begin"])

    def recorded(self, row):
        if row["on"] is None:
            return None
        works = self.launched(row["on"], lambda t: t < self.id[row["record"]]["begin"])
        return works[-1] if works else None

    def waits_of_call(self, s):
        """Works that must end before the call does."""
        row = next((r for r in self.rows if r["call"] == s["id"]), None)
        own = [w for w in self.works if w["call"] == s["id"]]
        if s["name"] == "cudaDeviceSynchronize":
            return [w[-1] for w in (self.launched(x, lambda t: t < s["begin"]) for x in (7, 20, 21)) if w]
        if s["name"] == "cudaEventSynchronize" and row:
            return [self.recorded(row)]
        if s["name"] in ("cudaStreamSynchronize", "cudaEventSynchronize"):
            mine = [w for o in sorted(self.host, key=lambda o: o["begin"]) for w in self.works
                    if o["thread"] == s["thread"] and o["begin"] < s["begin"] and w["call"] == o["id"]]
            stream = row["stream"] if row else mine[-1]["stream"] if mine else None
            return self.launched(stream, lambda t: t < s["begin"])[-1:]
        if s["kind"] == "cuda_runtime" and own and "Pageable" in own[0]["name"] and own[0]["end"] <= s["end"]:
            return own
        return []

    def waits_of_work(self, w):
        found = []
        for r in self.rows:
            call = self.id[r["call"]]
            if call["name"] != "cudaStreamWaitEvent" or r["stream"] != w["stream"]:
                continue
            after, before = self.launched(r["stream"], lambda t, c=call: t >= c["begin"]), self.recorded(r)
            if after and after[0] is w and before and before["stream"] != w["stream"]:
                found.append(before)
        return found

    def before_on_stream(self, w):
        earlier = [o for o in self.works if o["stream"] == w["stream"] and o["begin"] < w["begin"]]
        if not earlier:
            return None
        last = max(earlier, key=lambda o: o["begin"])
        return last if last["end"] <= w["begin"] else self.before_on_stream(last)

    def last_on(self, thread, time):
        nodes = [(s[side], s, side) for s in self.host if s["thread"] == thread for side in ("begin", "end")
                 if s[side] <= time]
        return max(nodes, key=lambda n: n[0]) if nodes else None

    def idle_after(self, node):
        return node is None or self.class_of(node[1] if node[2] == "begin" else self.parent(node[1])) == HOST_OTHER

    def guessed(self, w, found):
        """If the trace does not tell what a stream waits for: the last work of another stream, up to 30 us before."""
        known = max(found, key=lambda c: c[0]) if found else (-10 ** 18, "none")
        told = [r["call"] for r in self.rows]
        if w["begin"] - known[0] <= (LATE if known[1] == "launch" else SHORT) or \
                all(s["id"] in told for s in self.host if s["name"] == "cudaStreamWaitEvent"):
            return []
        ended = [(o["end"], "event", o, "end") for o in self.works
                 if o["stream"] != w["stream"] and max(known[0] + 1, w["begin"] - SHORT) <= o["end"] <= w["begin"]]
        return [max(ended, key=lambda c: c[0])] if ended else []

    def candidates(self, what, side):
        """(time, edge, node before)."""
        time, found = what[side], []
        if "stream" in what:
            if side == "end":
                return [(what["begin"], "run", what, "begin")]
            before = self.before_on_stream(what)
            found += [(before["end"], "prev", before, "end")] if before else []
            call = self.id.get(what["call"])
            found += [(call["begin"], "launch", call, "begin")] if call and call["begin"] <= time else []
            found += [(w["end"], "event", w, "end") for w in self.waits_of_work(what) if w["end"] <= time + SKEW]
            return found + self.guessed(what, found)
        nodes = [(s[x], "prev", s, x) for s in self.host if s["thread"] == what["thread"] for x in ("begin", "end")
                 if s[x] < time]
        found += [max(nodes, key=lambda n: n[0])] if nodes else []
        if side == "end":
            found += [(w["end"], "sync", w, "end") for w in self.waits_of_call(what) if w and w["end"] <= time + SKEW]
            held = [s for s in self.host if s["name"] == "cudaMalloc" and s["thread"] != what["thread"] and
                    s["begin"] < what["begin"] and what["name"] in ("cudaMalloc", "cudaLaunchKernel", "cudaMemcpyAsync")]
            last = max((s["end"] for s in held), default=0)
            found += [(s["end"], "lock", s, "end") for s in held if what["begin"] < s["end"] == last < time]
        if what["thread"] == 2 and not self.parent(what) and side == "begin":
            there = self.last_on(1, time)
            found += [(there[0], "thread", *there[1:])] if there and self.idle_after(there) else []
        if what["thread"] == 1 and len(self.threads) == 2:
            for s in self.host:  # autograd's thread ended between the last node of this thread and this one
                if s["thread"] == 2 and not self.parent(s) and s["end"] < time and \
                        not (nodes and max(n[0] for n in nodes) > s["end"]) and self.idle_after(self.last_on(1, s["end"])):
                    found.append((s["end"], "thread", s, "end"))
        return found

    def part(self, what, side, before):
        """Class, name and operator of the time before a node."""
        if "stream" not in what:
            if before and before[1] == "sync":
                return "synchronisation", what["name"], self.operator(what)
            s = self.running(what, side)
            return self.class_of(s), s["name"] if s else None, self.operator(s)
        call = self.operator(self.id[what["call"]]) if what["call"] else None
        if side == "end":
            return KINDS[what["name"]], what["name"], call
        delay = what["begin"] - before[0] if before else 10 ** 18
        edge = before[1] if before else "none"
        if delay > (LATE if edge == "launch" else SHORT):
            return "other_wait", what["name"], call
        return {"launch": "launch_delay", "prev": "kernel_gap", "event": "synchronisation"}[edge], what["name"], call

    def path(self):
        nodes = [(s[x], s, x) for s in self.host + self.works for x in ("begin", "end")]
        first, now = min(n[0] for n in nodes), max(n[0] for n in nodes)
        _, what, side = max(nodes, key=lambda n: n[0])
        parts, start = [], first
        while now > first:
            found = self.candidates(what, side)
            before = max(found, key=lambda c: c[0]) if found else None
            name = self.part(what, side, before)
            time = max(first, before[0]) if before else first
            if time < now:
                parts.append((time - start, now - start) + name)
                now = time
            if before:
                _, _, what, side = before
        return parts[::-1]


def profkit(path, *options):
    text = subprocess.run([os.environ["PROFKIT"], "gpu", "-q", "--critical-path", "--whole", "--format", "json", *options, path],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(text)


def check_replay(number, path, is_):
    """Without a change all is played again but waits without a known reason; less of anything never takes longer."""
    waits = sum(p["end"] - p["start"] for p in is_["path"] if p["class"] == "other_wait")
    rules = ["computation*1", "computation=0", "launch=0", "host/3", "communication*2", "mm/2"]
    got = profkit(path, *(f"--what-if={r}" for r in rules if r != "mm/2" or any(p["name"] == "aten::mm" for p in is_["path"])))
    time, measured = got["replay"]["time"], got["replay"]["measured"]
    saved = {r["change"]: r["saved"] for r in got["rows"]}
    check(f"{number}: measured", measured, is_["range"]["end"] - is_["range"]["start"])
    check(f"{number}: replay", measured - waits <= time <= measured, True)
    check(f"{number}: no change", saved["computation*1"], 0)
    check(f"{number}: changes", [min(0, saved[r]) for r in ("computation=0", "launch=0", "host/3")] +
          [max(0, saved["communication*2"])], [0, 0, 0, 0])
    check(f"{number}: times", [r["time"] + r["saved"] for r in got["rows"]], [measured] * len(got["rows"]))


def main():
    rng, skipped = random.Random(19), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(TRACES):
            trace, path = Trace(rng), os.path.join(folder, f"{number}.json")
            trace.write(path)
            is_ = profkit(path)
            parts = [(p["start"], p["end"], p["class"], p["name"], p["operator"]) for p in is_["path"]]
            check(f"{number}: sum", sum(r["time"] for r in is_["rows"]), is_["range"]["end"] - is_["range"]["start"])
            check(f"{number}: parts", [a[1] for a in parts[:-1]], [b[0] for b in parts[1:]])
            if any(o["what"] == "dependencies_in_circles" for o in is_["odd"]):
                skipped += 1
                continue
            check_replay(number, path, is_)
            begin = is_["range"]["start"]
            check(f"{number}: path", [(a - begin, b - begin, *rest) for a, b, *rest in parts], trace.path())
    print("\n".join(failures[:6]) or f"{TRACES} traces: equal, {skipped} with circles left out")
    return bool(failures)


sys.exit(main())
