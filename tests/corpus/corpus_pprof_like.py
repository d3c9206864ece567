#!/usr/bin/env python3
"""hotspots, tree and callgraph --like pprof print what go tool pprof printed of the profiles in the corpus, byte for byte.

Skipped where there is no corpus.
"""
import os
import subprocess
import sys

from corpus import compare_files, corpus

TOP = ["hotspots", "--like", "pprof"]
# The end of the name of what pprof printed: the command that prints the same.
COMMANDS = {
    "top": TOP,
    "top-cum": TOP + ["--sort", "total"],
    "top-lines": TOP + ["--granularity", "line"],
    "top-files": TOP + ["--granularity", "file"],
    "focus-fib": TOP + ["--focus", "fib|hanoi"],
    "ignore-runtime": TOP + ["--ignore", "runtime"],
    "tree": ["tree", "--like", "pprof-tree"],
    "top-addresses": TOP + ["--granularity", "address"],
    "top-noinlines": TOP + ["--no-inlines"],
    "traces": ["tree", "--like", "pprof-traces"],
    "traces-lines": ["tree", "--like", "pprof-traces", "--granularity", "line"],
    "peek-main": ["tree", "--like", "pprof-peek", "--match", r"main\."],
}
COMMANDS["dot"] = ["callgraph", "--like", "pprof"]
METRICS = ["inuse_space", "inuse_objects", "alloc_space", "alloc_objects", "contentions", "delay"]
COMMANDS.update({f"top-{metric}": TOP + ["-m", metric] for metric in METRICS})


def compare(path):
    name, what = path.name.split(".expected-")
    command = COMMANDS[what[:-len(".txt")]]
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), *command, "-q", str(path.parent / f"{name}.pb.gz")],
                         capture_output=True, check=False, env=dict(os.environ, TZ="UTC"))
    # what pprof says on standard error stands before the text
    should = path.read_bytes()
    if run.stdout != should[-len(run.stdout):] or run.returncode or not run.stdout or b"Type: " in should[:-len(run.stdout)]:
        ours, theirs = run.stdout.decode().splitlines(), should.decode().splitlines()
        wrong = [pair for pair in zip(ours, theirs) if pair[0] != pair[1]][:2]
        raise ValueError(f"{' '.join(command)}: {len(ours)} lines instead of {len(theirs)}, {wrong} {run.stderr.decode()}")
    return 1


def main():
    files = [path for path in sorted((corpus() / "real/pprof-go").glob("*.expected-*.txt"))
             if path.name.split(".expected-")[1][:-len(".txt")] in COMMANDS]
    return compare_files(files, compare, "texts", 55)


if __name__ == "__main__":
    sys.exit(main())
