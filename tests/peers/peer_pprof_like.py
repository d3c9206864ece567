#!/usr/bin/env python3
"""hotspots, tree and callgraph --like pprof print what go tool pprof prints of the same file, byte for byte. Skipped where there is no go."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus"))
import pprof_raw  # noqa: E402

TESTDATA = pathlib.Path(os.environ.get("TESTDATA", "../testdata"))
FILES = ["pprof/cpu.pb.gz", "pprof/heap.pb.gz", "pprof/mutex.pb.gz", "pprof/everything.pb.gz", "pprof/frames.pb", "pprof/bare.pb"]
TOP = ["hotspots", "--like", "pprof"]
TREE = ["tree", "--like", "pprof-tree"]
TRACES = ["tree", "--like", "pprof-traces"]
CASES = [
    (["-top"], TOP),
    (["-top", "-cum"], TOP + ["--sort", "total"]),
    (["-top", "-lines", "-nodefraction=0"], TOP + ["--granularity", "line", "--nodefraction", "0"]),
    (["-top", "-files"], TOP + ["--granularity", "file"]),
    (["-top", "-nodecount=3"], TOP + ["-n", "3"]),
    (["-top", "-nodefraction=0.2", "-unit=us"], TOP + ["--nodefraction", "0.2", "--unit", "us"]),
    (["-top", "-unit=B"], TOP + ["--unit", "B"]),
    (["-top", "-sample_index=0"], TOP + ["-m", "FIRST"]),
    (["-top", "-focus=main"], TOP + ["--focus", "main"]),
    (["-top", "-ignore=work"], TOP + ["--ignore", "work"]),
    (["-top", "-hide=main", "-show=a"], TOP + ["--hide", "main", "--show", "a"]),
    (["-top", "-show_from=main.work"], TOP + ["--show-from", "main.work"]),
    (["-tree"], TREE),
    (["-tree", "-nodecount=4", "-lines"], TREE + ["-n", "4", "--granularity", "line"]),
    (["-top", "-addresses", "-nodefraction=0"], TOP + ["--granularity", "address", "--nodefraction", "0"]),
    (["-top", "-noinlines", "-nodefraction=0"], TOP + ["--no-inlines", "--nodefraction", "0"]),
    (["-top", "-addresses", "-noinlines"], TOP + ["--granularity", "address", "--no-inlines"]),
    (["-top", "-tagfocus=kind=o"], TOP + ["--label", "kind=o"]),
    (["-top", "-tagignore=kind=o"], TOP + ["--ignore-label", "kind=o"]),
    (["-top", "-tagfocus=bytes=32kb:64kb"], TOP + ["--label", "bytes=32kb:64kb"]),
    (["-top", "-tagignore=bytes=:12b"], TOP + ["--ignore-label", "bytes=:12b"]),
    (["-top", "-tagfocus=bytes=1kb:"], TOP + ["--label", "bytes=1kb:"]),
    (["-top", "-tagfocus=1ms:"], TOP + ["--label", "1ms:"]),
    (["-top", "-tagfocus=kind=x,c"], TOP + ["--label", "kind=x,c"]),
    (["-top", "-tagignore=d:i"], TOP + ["--ignore-label", "d:i"]),
    (["-tree", "-hide=outer|work"], TREE + ["--hide", "outer|work"]),
    (["-tree", "-show=inner|fib|leaf"], TREE + ["--show", "inner|fib|leaf"]),
    (["-tree", "-show=libwork|main"], TREE + ["--show", "libwork|main"]),
    (["-tree", "-hide=main", "-noinlines"], TREE + ["--hide", "main", "--no-inlines"]),
    (["-tree", "-show_from=inner|fib", "-hide=main"], TREE + ["--show-from", "inner|fib", "--hide", "main"]),
    (["-tree", "-prune_from=inner|fib"], TREE + ["--prune-from", "inner|fib"]),
    (["-tree", "-ignore=libwork"], TREE + ["--ignore", "libwork"]),
    (["-traces", "-hide=main"], TRACES + ["--hide", "main"]),
    (["-peek=no_such_name"], ["tree", "--like", "pprof-peek", "--match", "no_such_name"]),
    (["-traces"], TRACES),
    (["-traces", "-addresses"], TRACES + ["--granularity", "address"]),
    (["-traces", "-files", "-unit=us"], TRACES + ["--granularity", "file", "--unit", "us"]),
    (["-traces", "-lines", "-noinlines", "-sample_index=0"], TRACES + ["--granularity", "line", "--no-inlines", "-m", "FIRST"]),
    (["-traces", "-tagignore=kind=d", "-ignore=work"], TRACES + ["--ignore-label", "kind=d", "--ignore", "work"]),
    (["-peek=w"], ["tree", "--like", "pprof-peek", "--match", "w"]),
]
DOT = ["callgraph", "--like", "pprof"]
PICTURES = [
    (["-dot"], DOT),
    (["-dot", "-lines", "-nodefraction=0"], DOT + ["--granularity", "line", "--node-thres", "0"]),
    (["-dot", "-addresses"], DOT + ["--granularity", "address"]),
    (["-dot", "-nodecount=3"], DOT + ["-n", "3"]),
    (["-dot", "-nodecount=5", "-lines"], DOT + ["-n", "5", "--granularity", "line"]),
    (["-dot", "-nodefraction=0.2", "-edgefraction=0.1"], DOT + ["--node-thres", "20", "--edge-thres", "10"]),
    (["-dot", "-sample_index=0", "-unit=us"], DOT + ["-m", "FIRST", "--unit", "us"]),
    (["-dot", "-focus=main"], DOT + ["--focus", "main"]),
    (["-dot", "-hide=main"], DOT + ["--hide", "main"]),
    (["-dot", "-tagignore=kind=d"], DOT + ["--ignore-label", "kind=d"]),
]
# of two files, the first being the base
DIFFS = [
    (["-top", "-diff_base"], ["diff", "--like", "pprof"]),
    (["-top", "-base"], ["diff", "--like", "pprof-base"]),
    (["-top", "-normalize", "-diff_base"], ["diff", "--like", "pprof", "--normalize"]),
    (["-top", "-normalize", "-base"], ["diff", "--like", "pprof-base", "--normalize"]),
    (["-top", "-cum", "-lines", "-diff_base"], ["diff", "--like", "pprof", "--granularity", "line", "--sort", "total"]),
    (["-top", "-focus=main", "-diff_base"], ["diff", "--like", "pprof", "--focus", "main"]),
]
FIRST = {"cpu.pb.gz": "samples", "everything.pb.gz": "samples", "mutex.pb.gz": "contentions", "bare.pb": "value"}


def run(command, folder):
    done = subprocess.run(command, capture_output=True, check=False, env=pprof_raw.environment(folder))
    return done.stdout.decode() if not done.returncode else "failed: " + done.stderr.decode()


def compare_two(base, path, theirs, ours, folder):
    return compare(path, [*theirs[:-1], f"{theirs[-1]}={base}"], [*ours, str(base)], folder)


def compare(path, theirs, ours, folder):
    ours = [FIRST.get(path.name, "alloc_objects") if word == "FIRST" else word for word in ours]
    ours = [os.environ.get("PROFKIT", "./profkit"), *ours, "-q", str(path)]
    text = run(ours, folder)
    # of edges with the weights 10 and -10, pprof has now this one first, now that one
    for _ in range(12):
        texts = [run([*pprof_raw.go_pprof(), *theirs, str(path)], folder), text]
        if texts[0] == texts[1] or all(text.startswith("failed: ") for text in texts):
            return 0
    wrong = [pair for pair in zip(*(text.splitlines() for text in texts)) if pair[0] != pair[1]][:3]
    print(f"FAIL {path.name} {' '.join(theirs)}: {len(texts[1].splitlines())} lines instead of {len(texts[0].splitlines())}")
    for their, our in wrong:
        print(f"  {our}\n  {their} (pprof)")
    return 1


def main():
    if not pprof_raw.have_go():
        print("skipped: no go")
        return 77
    paths = [TESTDATA / file for file in FILES] + [pathlib.Path(path) for path in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        # the same in pictures, with more such edges than tries would find
        cases = [(path, case) for path in paths
                 for case in CASES + (PICTURES if path.name != "everything.pb.gz" else [])]
        failed = sum(compare(path, *case, folder) for path, case in cases)
        pair = TESTDATA / "pprof/cpu-before.pb.gz", TESTDATA / "pprof/cpu.pb.gz"
        failed += sum(compare_two(*pair, *case, folder) for case in DIFFS)
    print(f"{failed} of {len(cases) + len(DIFFS)} texts differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
