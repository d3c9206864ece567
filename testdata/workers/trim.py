#!/usr/bin/env python3
"""trim.py FILE: takes folders of this machine out of a recording. Of viztracer's also the text of
the program, and calls of the pool's own threads below 0.1 ms; its times are counted from the first
event on, in tenths of a microsecond.
"""
import json
import pathlib
import re
import sys


def own_threads(events):
    """Of the pool, in the parent."""
    return {(event["pid"], event["tid"]) for event in events
            if event["ph"] == "M" and "(_handle_" in event["args"].get("name", "")}


def shorten(event, first):
    if "ts" not in event:
        return
    end = event["ts"] + event.get("dur", 0)
    event["ts"] = round(event["ts"] - first, 1)
    if "dur" in event:
        event["dur"] = round(end - first - event["ts"], 1)


def viztracer(text):
    trace = json.loads(text)
    trace.pop("file_info", None)
    events = trace["traceEvents"]
    own = own_threads(events)
    trace["traceEvents"] = [event for event in events
                            if (event["pid"], event["tid"]) not in own or event.get("dur", 100) >= 100]
    first = min(event["ts"] for event in trace["traceEvents"] if "ts" in event)
    for event in trace["traceEvents"]:
        shorten(event, first)
    return json.dumps(trace, separators=(",", ":"))


def main():
    path = pathlib.Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    if "viztracer_metadata" in text:
        text = viztracer(text)
    text = re.sub(r'/[^\s"()]*/(?=(bin|lib)/(lib)?python)', "/usr/", text)
    text = re.sub(r'/[^\s"()]*/(spread|contend)\.py', r"\1.py", text)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
