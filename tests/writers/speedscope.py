#!/usr/bin/env python3
"""What speedscope's importer demands of a file holds for what profkit writes, and nothing
is lost: the weights add to the total of hotspots. On all fixtures; corpus_speedscope_write.py calls it
with the folder of the corpus.
"""
import json
import os
import pathlib
import subprocess
import sys

PROFKIT = os.environ.get("PROFKIT", "profkit")
UNITS = {"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"}

LARGEST = 2**63 - 1  # sums stop there


def run(*arguments):
    return subprocess.run([PROFKIT, *map(str, arguments)], capture_output=True, check=False)


def problems_of_samples(profile, frames):
    weights, samples = profile["weights"], profile["samples"]
    if profile["type"] != "sampled":
        yield "neither sampled nor evented"
    if len(weights) != len(samples) or not weights:
        yield "samples and weights do not match"
    if min(weights) <= 0:
        yield "a weight is not positive"
    if any(not 0 <= f < frames for s in samples for f in s):
        yield "a frame is not there"
    whole = min(sum(weights), LARGEST)
    if profile["startValue"] != 0 or abs(profile["endValue"] - whole) > 1e-9 * whole:
        yield "endValue is not the sum of the weights"
    return whole


def problems_of_events(profile, frames):
    """The sum is the time in which a frame is open."""
    stack, last, total = [], profile["startValue"], 0
    for event in profile["events"]:
        if not 0 <= event["frame"] < frames:
            yield "a frame is not there"
        if event["at"] < last:
            yield "an event is earlier than the one before"
        total += event["at"] - last if stack else 0
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        elif not stack or stack.pop() != event["frame"]:
            yield "an end without its begin"
    if stack or not profile["events"]:
        yield "frames are left open, or no events"
    if profile["endValue"] < last:
        yield "an event after the end"
    return total


def problems(path, written):
    file = json.loads(written)
    frames = file["shared"]["frames"]
    if file["$schema"] != "https://www.speedscope.app/file-format-schema.json":
        yield "wrong $schema"
    if len({(f["name"], f.get("file"), f.get("line")) for f in frames}) != len(frames):
        yield "a frame is there twice"
    total = 0
    for profile in file["profiles"]:
        if profile["unit"] not in UNITS or not profile["name"]:
            yield "a profile without unit or name"
        if profile["type"] == "evented":
            total += yield from problems_of_events(profile, len(frames))
        else:
            total += yield from problems_of_samples(profile, len(frames))
    if len(file["profiles"]) == 1:
        hotspots = json.loads(run("hotspots", "-q", "--format", "json", path).stdout)["total"]
        if abs(hotspots - total) > 1e-9 * total:
            yield f"the weights add to {total}, hotspots to {hotspots}"


def candidates():
    if len(sys.argv) == 1:
        yield from (path for path in pathlib.Path(os.environ.get("TESTDATA", "testdata")).glob("*/*")
                    if path.is_file() and path.suffix not in (".dump", ".py", ".sh") and path.name != "SOURCE")
        return
    for pattern in ("pstats/*.prof", "programs/*.prof", "*.folded", "*collapsed.txt", "*.speedscope.json",
                    "*trace*.json"):
        yield from pathlib.Path(sys.argv[1]).glob("**/" + pattern)


def main():
    files = failed = 0
    for path in sorted(candidates()):
        done = run("convert", "-q", "--to", "speedscope", path, "-")
        if done.returncode == 2 and done.stderr.startswith(b"profkit: "):
            continue  # no profile, or one without call paths
        if done.returncode:
            print(f"{path}: status {done.returncode}")
            failed += 1
            continue
        files += 1
        for problem in problems(path, done.stdout):
            print(f"{path}: {problem}")
            failed += 1
    print(f"{files} files, {failed} problems")
    return 1 if failed or not files else 0


sys.exit(main())
