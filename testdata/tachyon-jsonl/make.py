#!/usr/bin/env python3
"""Writes the fixtures of this folder: see SOURCE."""
import json

STRINGS = ["run", "app.py", "parse", "~", "<GC>"]
FRAMES = [(1, 0, 87, 4), (1, 2, 5, 8), (1, 2, 5, 20), (3, 4, 0, 0), (1, 2, 6, 0)]
ENTRIES = [(0, 7, 21), (1, 4, 9), (2, 1, 1), (3, 9, 9), (4, 0, 2)]


def lines(old):
    base = {"v": int(old), "run_id": "5c0367"}
    first = int(old)  # the betas number strings and frames from 1 on
    strings = [{"str_id": i + first, "value": text} for i, text in enumerate(STRINGS)]
    frames = [{"frame_id": i + first, "path_str_id": path + first, "func_str_id": name + first, "line": line, "end_line": line, "col": col}
              for i, (path, name, line, col) in enumerate(FRAMES)]
    entries = [{"frame_id": frame + first, "self": own, "cumulative": total} for frame, own, total in ENTRIES]
    return [{"type": "meta", **base, "sample_interval_usec": 1000, "mode": "wall"},
            {"type": "str_def" if old else "string_table", **base, "defs" if old else "strings": strings},
            {"type": "frame_def" if old else "frame_table", **base, "defs" if old else "frames": frames},
            {"type": "agg", **base, "kind": "frame", "scope": "final", "samples_total": 21, "entries": entries},
            {"type": "end", **base, "samples_total": 21}]


def write(name, rows):
    with open(name, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


plain, odd = lines(False), lines(False)
odd[1]["strings"].append({"str_id": -1, "value": "no id"})
odd[2]["frames"] += [{"frame_id": 9, "path_str_id": 99, "func_str_id": 0, "line": 1}, {"frame_id": 8, "path_str_id": 1, "func_str_id": 0, "line": -1}]
odd[3]["entries"] += [{"frame_id": 77, "self": 1, "cumulative": 1}, {"frame_id": 8, "self": 3, "cumulative": 2}, {"frame_id": 8, "self": 1.5}]
odd.insert(3, {"type": "agg", "v": 0, "run_id": "other", "entries": [{"frame_id": 0, "self": 100, "cumulative": 100}]})
write("plain.jsonl", plain)
write("betas.jsonl", lines(True))
write("odd.jsonl", odd[:-1])
write("bad/list.jsonl", [*plain[:2], [1]])
