#!/usr/bin/env python3
"""Each number of the text fixtures replaced by 0, -1, 2^31, 2^63, 10^400, and each string by a hostile
one (of large files: as many as time allows, spread evenly): a message or a sound profile comes of
it, in bounded time and memory. Cases of one file are read by one process, fuzz/replay.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

NUMBERS = [b"0", b"-1", b"2147483648", b"9223372036854775808", b"1" + b"0" * 400]
STRINGS = [b'""', b'"\\u0000\\ud800\\u001b[31m"', b'"' + b"long" * 20000 + b'"', b'"</script>]]>=1;\\n\\""', b"null",
           b"[[[[{}]]]]"]
MOST = int(os.environ.get("SWEEP_PLACES", "30"))  # of each kind in a file
MEMORY = 2 << 30
SECONDS = 60  # for the cases of one file
TOKEN = re.compile(rb'(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)')
SKIP = {"store", "pstats", "austin-mojo", "diff"}


def spread(items):
    step = max(1, -(-len(items) // MOST))
    return items[::step]


def cases(data):
    tokens = list(TOKEN.finditer(data))
    inside = [(t.start() + m.start(), t.start() + m.end())
              for t in tokens if t["string"] for m in re.finditer(rb"\d+", t.group())]
    numbers = spread([t.span() for t in tokens if t["number"]]) + spread(inside)
    for begin, end in numbers:
        for value in NUMBERS:
            yield data[:begin] + value + data[end:]
    for begin, end in spread([t.span() for t in tokens if t["string"]]):
        for value in STRINGS:
            yield data[:begin] + value + data[end:]


def limit():
    if not os.environ.get("SANITIZE"):  # sanitizers take terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def sweep(replay, path, reader):
    """How many cases, and what is wrong or None."""
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for count, data in enumerate(cases(path.read_bytes()), 1):
            pathlib.Path(folder, f"{count:06}").write_bytes(data)
        if not count:
            return 0, None
        run = subprocess.run([replay, "-f", reader, folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, preexec_fn=limit)
        if run.returncode == 0:
            return count, None
        kept = pathlib.Path(f"sweep-{reader}-{path.name}").absolute()
        last = [line for line in run.stderr.decode(errors="replace").splitlines() if line.startswith(folder)]
        if last:
            kept.write_bytes(pathlib.Path(last[-1]).read_bytes())
        return count, f"{path}: status {run.returncode}; see {kept}\n{run.stderr[-1500:].decode(errors='replace')}"


def main():
    replay = pathlib.Path(os.environ["PROFKIT"]).parent / "fuzz" / "replay"
    total = files = 0
    wrong = []
    for path in sorted(pathlib.Path(os.environ["TESTDATA"]).rglob("*")):
        reader = path.relative_to(os.environ["TESTDATA"]).parts[0]
        if not path.is_file() or path.suffix in (".dump", ".py", ".sh", ".md") or path.name == "SOURCE":
            continue
        known = subprocess.run([os.environ["PROFKIT"], "formats", reader], capture_output=True).returncode == 0
        if reader in SKIP or not known:
            continue
        count, problem = sweep(replay, path, reader)
        total, files = total + count, files + 1
        if problem:
            wrong.append(problem)
    print("\n".join(wrong))
    print(f"{files} files, {total} cases, {len(wrong)} broken")
    sys.exit(bool(wrong) or not files)


if __name__ == "__main__":
    main()
