#!/usr/bin/env python3
"""Writes the fixtures of this folder, in the layouts of several versions (see SOURCE)."""
import json


def write(name, data):
    with open(name, "w", encoding="utf-8") as out:
        out.write(json.dumps(data, separators=(",", ":")) + "\n")


CATEGORIES = [{"name": "Other", "color": "grey", "subcategories": ["Other"]},
              {"name": "JavaScript", "color": "yellow", "subcategories": ["Other"]}]


def raw_thread(name, pid, tid, samples, markers=()):
    return {
        "name": name, "processType": "default", "pid": pid, "tid": tid,
        "registerTime": 0, "unregisterTime": None,
        "stringTable": ["(root)", "main (http://host/app.js:3:1)",
                        "load (resource://loader.js -> file:///b.js:31)", "0x1010", "Reflow", "Paint"],
        "frameTable": {"schema": {"location": 0, "implementation": 1, "line": 2, "column": 3,
                                  "category": 4},
                       "data": [[0], [1, None, 5, 7, 1], [2, None, 32], [3]]},
        "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[None, 0], [0, 1], [1, 2], [2, 3]]},
        "samples": {"schema": {"stack": 0, "time": 1, "eventDelay": 2}, "data": samples},
        "markers": {"schema": {"name": 0, "startTime": 1, "endTime": 2, "phase": 3, "category": 4,
                               "data": 5}, "data": list(markers)}}


LIB = {"start": 4096, "end": 8192, "offset": 0, "name": "libx.so", "path": "/lib/libx.so",
       "debugName": "libx.so", "debugPath": "/lib/libx.so", "breakpadId": "AB0", "codeId": "ab"}
MARKERS = [[4, 1, None, 0, 0], [5, 1.5, 3, 1, 0, {"type": "Text", "name": "first"}],
           [4, 2, None, 2, 1], [4, None, 4.5, 3, 1], [5, 4, None, 2, 0]]
child = {"meta": {"version": 30, "startTime": 1700000000100, "processType": 2,
                  "categories": CATEGORIES},
         "libs": [LIB], "pausedRanges": [], "processes": [],
         "threads": [raw_thread("GeckoMain", 12, 12, [[1, 0.5], [3, 1.5]])]}
write("raw.gecko.json", {
    "meta": {"version": 30, "startTime": 1700000000000, "interval": 1, "processType": 0,
             "stackwalk": 1, "product": "Firefox", "categories": CATEGORIES},
    "libs": [LIB], "pausedRanges": [], "processes": [child],
    "threads": [raw_thread("GeckoMain", 11, 11, [[2, 1.25, 0], [2, 2.25], [None, 3.25], [3, 4.25]],
                           MARKERS)]})

write("recording.gecko.json", {
    "label": "reload", "profile": {
        "meta": {"version": 12, "startTime": 1700000000000, "interval": 1, "processType": 2, "stackwalk": 0, "categories": CATEGORIES},
        "libs": [LIB], "pausedRanges": [], "processes": [],
        "threads": [raw_thread("GeckoMain", 12, 12, [[1, 0.5], [3, 1.5]], [[5, 900001.5, 900003, 1, 0]])]},
    "fileType": "Recorded Performance Data", "version": 2})

STRINGS = ["main", "work", "app.py", "libc.so.6", "0x20", "GC"]
TABLES = {
    "stackTable": {"frame": [0, 1, 2], "prefix": [None, 0, 1], "length": 3},
    "frameTable": {"address": [-1, -1, 32], "category": [1, 1, 0], "subcategory": [0, 0, 0],
                   "func": [0, 1, 2], "line": [4, 9, None], "column": [None, 2, None],
                   "inlineDepth": [0, 0, 0], "nativeSymbol": [None] * 3,
                   "innerWindowID": [None] * 3, "length": 3},
    "resourceTable": {"lib": [0], "name": [3], "host": [None], "type": [1], "length": 1},
    "nativeSymbols": {"libIndex": [], "address": [], "name": [], "functionSize": [], "length": 0}}
FUNC = {"name": [0, 1, 4], "isJS": [False] * 3, "relevantForJS": [False] * 3,
        "resource": [-1, -1, 0], "lineNumber": [3, 8, None], "columnNumber": [None] * 3, "length": 3}
META = {"interval": 2, "startTime": 1700000000000, "processType": 0, "product": "program",
        "stackwalk": 1, "version": 24, "symbolicated": False,
        "sampleUnits": {"time": "ms", "eventDelay": "ms", "threadCPUDelta": "µs"},
        "categories": [CATEGORIES[0], {"name": "Python", "color": "yellow", "subcategories": ["Other"]}],
        "markerSchema": []}
PROCESSED_LIB = {key: LIB[key] for key in ("path", "debugName", "debugPath", "breakpadId", "codeId")}
PROCESSED_LIB["name"] = "libc.so.6"
MARKS = {"name": [], "startTime": [], "endTime": [], "phase": [], "category": [], "data": [],
         "length": 0}


def thread(name, tid, samples, **more):
    return {"name": name, "isMainThread": tid == 7, "pid": "7", "tid": tid, "processName": "program",
            "processType": "default", "registerTime": 0, "unregisterTime": None, "pausedRanges": [],
            "samples": samples, "markers": MARKS, **more}


SAMPLES = {"stack": [1, 2, 2], "time": [0.5, 2.5, 4.5], "weight": None, "weightType": "samples",
           "threadCPUDelta": [None, 1500, 2000], "length": 3}
write("threads.gecko.json", {
    "meta": {**META, "preprocessedProfileVersion": 57}, "libs": [PROCESSED_LIB],
    "threads": [thread("main", 7, SAMPLES, **TABLES, funcTable={**FUNC, "fileName": [2, 2, None]})],
    "shared": {"stringArray": STRINGS}})

offsets = {**TABLES, "stackTable": {"frame": [0, 1, 2], "prefixOffset": [0, 1, 1], "length": 3}}
write("shared.gecko.json", {
    "meta": {**META, "preprocessedProfileVersion": 66}, "libs": [PROCESSED_LIB],
    "shared": {**offsets, "funcTable": {**FUNC, "source": [0, 0, None]},
               "sources": {"id": [None], "filename": [2], "length": 1}, "stringArray": STRINGS},
    "threads": [thread("main", 7, {"stack": [2, 1], "timeDeltas": [1, 3], "weight": [2.5, 0.25],
                                   "weightType": "tracing-ms", "length": 2}),
                thread("worker", 8, {"stack": [1], "timeDeltas": [2], "weight": [1.5],
                                     "weightType": "tracing-ms", "length": 1})],
    "counters": [{"name": "malloc", "category": "Memory", "description": "", "pid": "7",
                  "mainThreadIndex": 0,
                  "samples": {"timeDeltas": [0, 2], "count": [4096, -1024], "length": 2}}]})

write("alloc.gecko.json", {
    "meta": {**META, "preprocessedProfileVersion": 57}, "libs": [PROCESSED_LIB],
    "threads": [thread("main", 7, SAMPLES, **TABLES, funcTable={**FUNC, "fileName": [2, 2, None]},
                       nativeAllocations={"time": [1, 2, 3], "weight": [100, -100, 28],
                                          "weightType": "bytes", "stack": [1, 1, 2], "length": 3})],
    "shared": {"stringArray": STRINGS}})

write("markers.gecko.json", {
    "meta": {**META, "preprocessedProfileVersion": 57}, "libs": [PROCESSED_LIB],
    "threads": [{**thread("main", 7, SAMPLES, **TABLES, funcTable={**FUNC, "fileName": [2, 2, None]}),
                 "markers": {"name": [5, 5], "startTime": [1, 3], "endTime": [2, 5], "phase": [1, 1],
                             "category": [0, 0], "data": [None, None], "length": 2}}],
    "shared": {"stringArray": STRINGS}})

write("bad/no-threads.gecko.json", {"meta": {"preprocessedProfileVersion": 57}, "libs": []})
