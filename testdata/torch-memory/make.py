#!/usr/bin/env python3
"""Writes the fixtures of this folder: make.py FOLDER. They have the form of snapshots of
torch.cuda.memory._dump_snapshot (torch/cuda/memory.py); what happens in them is made up."""
import os
import pickle
import sys

folder = sys.argv[1]
os.makedirs(folder + "/bad", exist_ok=True)
BASE = 0x7F2000000000
START = 1760000000000000


def frame(filename, line, name):
    return {"name": name, "filename": filename, "line": line}


NOISE = frame("??", 0, "torch::unwind::unwind()")
MALLOC = frame("/src/c10/cuda/CUDACachingAllocator.cpp", 1443, "c10::cuda::CUDACachingAllocator::malloc(void**)")
ADDMM = frame("??", 0, "at::_ops::addmm::call(at::Tensor const&)")
MAIN = frame("/app/train.py", 20, "main")
FORWARD = [NOISE, MALLOC, ADDMM, frame("/app/model.py", 7, "forward"), MAIN]
STEP = [NOISE, MALLOC, frame("/app/adamw.py", 175, "_init_group"), MAIN]


def event(action, addr, size, at, frames=None, **more):
    return {"action": action, "addr": addr, "size": size, "stream": 0, "time_us": START + at, "frames": frames, **more}


def block(address, size, state, requested=None, frames=None):
    return {"address": address, "size": size, "requested_size": requested or 0, "state": state, "frames": frames or []}


def segment(address, blocks, device=0, stream=0, **more):
    sizes = [b["size"] for b in blocks]
    return {"device": device, "address": address, "total_size": sum(sizes), "stream": stream,
            "allocated_size": sum(b["size"] for b in blocks if b["state"] == "active_allocated"),
            "active_size": sum(b["size"] for b in blocks if b["state"] != "inactive"),
            "requested_size": sum(b.get("requested_size", 0) for b in blocks), "segment_type": "large",
            "segment_pool_id": (0, 0), "is_expandable": False, "frames": STEP, "blocks": blocks, **more}


EVENTS = [
    event("segment_alloc", BASE, 4096, 0, STEP),
    event("alloc", BASE, 1000, 10, FORWARD),
    event("alloc", BASE + 1024, 500, 20, STEP),
    event("free_requested", BASE, 1000, 30, FORWARD),
    event("free_completed", BASE, 1000, 31, FORWARD),
    event("alloc", BASE, 900, 40, FORWARD, user_metadata="{}", compile_context="N/A", pool_id=(0, 0)),
    event("alloc", BASE + 2048, 300, 50, [None, MAIN], stream=0x5555AAAA0000),
    event("oom", None, 1 << 20, 60, STEP, device_free=77),
    event("free_requested", BASE + 2048, 300, 70),
    event("snapshot", 0, 0, 80),
]
del EVENTS[7]["addr"]
SEGMENTS = [segment(BASE, [
    block(BASE, 1024, "active_allocated", 900, FORWARD), block(BASE + 1024, 512, "active_allocated", 500, STEP),
    block(BASE + 1536, 512, "inactive"), block(BASE + 2048, 512, "active_pending_free", 300),
    block(BASE + 2560, 1536, "inactive")])]
MARKS = [{"stage": "START", "name": "ProfilerStep#0", "device": 0, "time_us": START + 5},
         {"stage": "START", "name": "Optimizer.step", "device": 0, "time_us": START + 15},
         {"stage": "END", "name": "Optimizer.step", "device": 0, "time_us": START + 25},
         {"stage": "START", "name": "ProfilerStep#1", "device": 0, "time_us": START + 65},
         {"stage": "END", "name": "ProfilerStep#0", "device": 0, "time_us": START + 45}]
SETTINGS = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:False", "max_split_size": -1,
            "garbage_collection_threshold": 0.5, "roundup_power2_divisions": {"1": 0}}


def snapshot(events=EVENTS, segments=SEGMENTS, **more):
    return {"segments": segments, "device_traces": [events], "allocator_settings": SETTINGS,
            "external_annotations": MARKS, **more}


def write(name, what, protocol=4):
    with open(f"{folder}/{name}.pickle", "wb") as f:
        f.write(what if isinstance(what, bytes) else pickle.dumps(what, protocol))


for number in (2, 4, 5):
    write(f"protocol{number}", snapshot(), number)
write("segments-alone", SEGMENTS)
write("without-traces", {"segments": SEGMENTS})
write("no-history", snapshot([]))
write("history-cut", snapshot(EVENTS[4:]))
second = [segment(BASE, [block(BASE, 2048, "active_allocated", 2000, STEP)], device=1)]
write("two-devices", {"segments": SEGMENTS + second, "device_traces": [EVENTS, [event("alloc", BASE, 2000, 3, STEP)]]})
EXPANDABLE = [event("segment_map", BASE, 2048, 0, STEP), event("segment_map", BASE + 2048, 2048, 5, STEP),
              event("alloc", BASE, 4000, 10, FORWARD), event("free_completed", BASE, 4000, 20, FORWARD),
              event("segment_unmap", BASE + 2048, 2048, 30, STEP)]
write("expandable", snapshot(EXPANDABLE, [segment(BASE, [block(BASE, 2048, "inactive")], is_expandable=True)]))
OLD = {"device": 0, "address": BASE, "total_size": 2048, "allocated_size": 1024, "active_size": 1024, "stream": 0,
       "segment_type": "small", "blocks": [
           {"size": 1024, "state": "active_allocated", "history": [{"addr": 0, "real_size": 1000, "frames": FORWARD}]},
           {"size": 1024, "state": "inactive"}]}
write("torch-2.0", {"segments": [OLD], "device_traces": [
    [{k: v for k, v in e.items() if k != "time_us"} for e in EVENTS[:2]]]}, 2)
PROFILE = [frame("none", 0, "torch/nn/modules/linear.py(130): forward"), frame("none", 0, "<built-in method relu>")]
write("of-a-profile", {"device_traces": [
    [{"action": "alloc", "addr": BASE, "size": 64, "stream": 0, "frames": PROFILE, "category": "activation"},
     {"action": "alloc", "addr": BASE + 64, "size": 32, "stream": 0, "frames": [], "category": "parameter"}]],
    "segments": [{"device": 0, "address": None, "total_size": 128, "stream": 0, "blocks": []}]})
write("pinned", snapshot(EVENTS[:2], host_traces=[[event("alloc", BASE, 700, 4, STEP), event("free_completed", BASE, 700, 9)]],
                         host_segments=[segment(BASE, [block(BASE, 512, "inactive")])]))
write("large-addresses", snapshot([event("alloc", (1 << 64) - 4096, 8, 0, STEP)], []))

write("bad/system", b"}(X\x08\0\0\0segmentscos\nsystem\n(S'id'\ntRX\x0d\0\0\0device_traces]u.")
write("bad/memo", pickle.dumps(snapshot(), 2)[:-1] + b"r\xff\xff\xff\x7f.")
write("bad/long4", pickle.dumps(snapshot(), 2)[:-1] + b"\x8b\xff\xff\xff\x7f.")
recursive = snapshot()
recursive["segments"] = [recursive["device_traces"]]
recursive["device_traces"].append(recursive["segments"])
write("bad/contains-itself", recursive)
write("bad/negative-size", snapshot([event("alloc", BASE, -8, 0)]))
write("bad/text-as-address", snapshot([event("alloc", "0x7f", 8, 0)]))
write("bad/no-segments", {"segments": 5, "device_traces": []})
write("bad/traces-of-numbers", {"segments": [], "device_traces": [[1, 2, 3]]})
write("bad/two-traces", {"segments": [], "device_traces": [EVENTS[:1] + [EVENTS[0]], EVENTS[:1]]})
