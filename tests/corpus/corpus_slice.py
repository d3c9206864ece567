#!/usr/bin/env python3
"""Slices of the traces of the corpus: the numbers read from a slice are those that the same
selection gives for the whole file, and a slice of everything is the file."""
import csv
import glob
import io
import os
import subprocess
import sys
import tempfile

profkit = os.environ["PROFKIT"]
corpus = os.environ.get("PROFKIT_CORPUS") or os.path.join(os.environ.get("srcdir", "."), "../shared/corpus")
if not os.path.isdir(corpus):
    print("skipped: no corpus")
    sys.exit(77)


# Parts of traces that say other things than the whole: what overlaps or is too long there, but not
# in the part; ends that nothing began, which count for the length of the run, and ends before their
# begin; steps of asynchronous spans before the part.
ODD = (
    # Cut spans are alike; what is written has the outer one first, viztracer the inner one.
    "real/viztracer/inventory-overflow.json.gz",
    "catapult/tracing/test_data/async_begin_end.json",
    "catapult/tracing/test_data/simple_trace.json",
    "speedscope/sample/profiles/trace-event/unbalanced-name.json",
    "speedscope/sample/profiles/trace-event/zero-duration-events.json",
    "tf_trace_viewer/data/trace.json",
    "real/jax/jax_train.expected-xprof-trace_viewer-streaming.json.gz",
    "real/perfetto/case-be-end-before-begin-same-ts.json",
    "real/perfetto/case-be-extra-end.json",
    "real/perfetto/case-x-child-longer-by-1us.json",
    "real/torch/t22-train_steps.json",
)


def run(*args):
    return subprocess.run([profkit, *args], capture_output=True)


def functions(path, *args):
    """Function -> calls, self, total; sums of equal names."""
    done = run("hotspots", "-q", "--format", "csv", *args, path)
    if done.returncode:
        return None
    rows = {}
    for row in csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "replace"))):
        key = row["function"], row["file"], row["line"], row["kind"]
        rows.setdefault(key, []).append((row["calls"], row["self"], row["total"]))
    return {key: sorted(values) for key, values in rows.items()}


def traces():
    for path in sorted(glob.glob(corpus + "/**/*", recursive=True)):
        if not path.endswith((".json", ".json.gz")) or not os.path.isfile(path):
            continue
        done = run("info", "-q", "--format", "csv", path)
        if not done.returncode and b"\nformat,chrome\n" in done.stdout:
            yield path


failed = passed = odd = 0
with tempfile.TemporaryDirectory() as work:
    for path in traces():
        for args in ([], ["--time", "25%..60%"], ["--category", "."]):
            part = os.path.join(work, "part.json")
            whole = functions(path, *args)
            done = run("slice", *args, path, "-o", part)
            if whole is None or done.returncode:
                if whole and any(part in path for part in ODD):
                    odd += 1
                elif whole:
                    print(f"{path} {args}: {done.stderr.decode()}")
                    failed += 1
                continue
            got = functions(part)
            got = got if got is not None else {}
            # A function that began and ended at once, at the edge, has nothing to show.
            if got != whole:
                if any(part in path for part in ODD):
                    odd += 1
                    continue
                differ = [k for k in sorted(set(got) | set(whole)) if got.get(k) != whole.get(k)]
                print(f"{path} {args}: {len(differ)} functions differ:")
                for key in differ[:3]:
                    print("   ", key, whole.get(key), got.get(key))
                failed += 1
            else:
                passed += 1
print(f"{passed} slices have the numbers of the whole, {odd} cannot, {failed} do not")
sys.exit(1 if failed or not passed else 0)
