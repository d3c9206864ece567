#!/usr/bin/env python3
"""What a system may do to a program that writes: no room, limits, standard descriptors that are closed, folders
that vanish or may not be written to, an output that is its own input. A message and status 2, or the whole
output; what was there before stays, and nothing is left beside it. CONDITIONS=all tries every writer.
"""
import concurrent.futures
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

PROFKIT = os.environ["PROFKIT"]
TESTDATA = pathlib.Path(os.environ["TESTDATA"])
WRITERS = ["chrome", "csv", "dot", "flamegraph", "folded", "json", "markdown", "profkit-baseline", "pstats", "py-spy", "speedscope",
           "store", "timeline", "torch-stacks"]
SOURCES = {"pstats": "a.prof", "dot": "a.prof", "svg": "a.prof", "pdf": "a.prof", "png": "a.prof", "torch-stacks": "torch.json"}
BEFORE = b"what was there before\n"
wrong, notes = [], []
count = 0


def command(writer, out, source=None):
    source = str(source or INPUTS / SOURCES.get(writer, "trace.json"))
    if writer in ("svg", "pdf", "png"):
        return ["callgraph", "-q", "-n", "5", "--to", writer, source, "--force", "-o", str(out)]
    if writer == "store-add":
        return ["store", "-q", "add", str(out), source]
    return ["convert", "-q", "--to", writer, source, "--force", "-o", str(out)]


ALL = WRITERS + ["svg", "pdf", "png", "store-add"]


def run(args, **how):
    how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.run([PROFKIT, *args], **how)


def expect(what, condition, run=None):
    global count
    count += 1
    if not condition:
        wrong.append(f"{what}: " + (f"status {run.returncode}: {(run.stderr or b'')[-300:]!r}" if run else "not so"))


def refused(what, run, folder, before):
    """Status 2 and a message; the folder holds what it did."""
    expect(what, run.returncode == 2 and run.stderr.startswith(b"profkit: "), run)
    after = {p.name: p.read_bytes() for p in folder.iterdir()} if folder.exists() else {}
    expect(f"{what}: files {sorted(after)}", after == before)


def expected(writer):
    """What it writes when all is well."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "out")
        done = run(command(writer, out))
        assert done.returncode == 0, (writer, done.stderr)
        return out.read_bytes()


def limited(writer, folder):
    """Files may have so many bytes: SIGXFSZ, which is ignored, and EFBIG."""
    size = len(expected(writer))
    for limit in (0, 1, size // 2, size - 1):
        out = folder / "out"
        if writer != "store-add":
            out.write_bytes(BEFORE)
        done = run(command(writer, out), preexec_fn=lambda n=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)))
        refused(f"{writer}: files of {limit} bytes at most", done, folder, {} if writer == "store-add" else {"out": BEFORE})


def closed(writer, folder):
    """Standard descriptors that are closed are not those of outputs."""
    for which in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
        out = folder / "out"
        out.unlink(missing_ok=True)
        done = run(command(writer, out), preexec_fn=lambda: [os.close(fd) for fd in which])
        expect(f"{writer}: {which} closed", done.returncode == 0, done)
        expect(f"{writer}: {which} closed: the output", out.exists() and out.read_bytes() == expected(writer))
    if writer in WRITERS:
        done = run(command(writer, "-"), preexec_fn=lambda: os.close(1))
        expect(f"{writer} to a closed standard output", done.returncode == 2 and b"Bad file descriptor" in done.stderr, done)
        with open("/dev/full", "wb") as full:
            done = run(command(writer, "-"), stdout=full)
        expect(f"{writer} to /dev/full", done.returncode == 2 and b"No space left" in done.stderr, done)
        reader, end = os.pipe()
        os.close(reader)
        done = run(command(writer, "-"), stdout=end)
        os.close(end)
        expect(f"{writer} to a pipe that nobody reads", done.returncode in (0, 2, -signal.SIGPIPE), done)


def places(writer, folder):
    """Folders as outputs, and folders that are gone."""
    done = run(command(writer, folder))
    refused(f"{writer} to a folder", done, folder, {})
    for path in ("new/", "no/out", "no/../out/", ""):
        done = run(command(writer, f"{folder}/{path}" if path else ""))
        refused(f"{writer} to '{path}'", done, folder, {})
    gone = folder / "gone"
    gone.mkdir()
    done = run(command(writer, "out"), cwd=gone, preexec_fn=lambda: os.rmdir(gone))
    refused(f"{writer} in a folder that is gone", done, folder, {})


def same(writer, folder):
    """The output is the input, by three names."""
    source = INPUTS / SOURCES.get(writer, "trace.json")
    for kind in ("itself", "symlink", "hard link"):
        one, two = folder / f"{writer} {kind} in", folder / f"{writer} {kind} out"
        one.write_bytes(source.read_bytes())
        if kind == "itself":
            two = one
        elif kind == "symlink":
            two.symlink_to(one.name)
        else:
            os.link(one, two)
        plain = folder / f"{writer} plain"
        if writer != "store-add":
            run(command(writer, plain, one))
        done = run(command(writer, two, one))
        if writer == "store-add":
            expect(f"{writer}: {kind}", done.returncode == 2 and one.read_bytes() == source.read_bytes(), done)
            continue
        expect(f"{writer}: {kind}", done.returncode == 0, done)
        expect(f"{writer}: {kind}: the input", kind != "hard link" or one.read_bytes() == source.read_bytes())
        expect(f"{writer}: {kind}: the output", two.read_bytes() == plain.read_bytes())
        expect(f"{writer}: {kind}: a link", kind != "symlink" or two.is_symlink())
    left = [p.name for p in folder.iterdir() if p.name.startswith(".")]
    expect(f"{writer}: left behind {left}", not left)


# In a namespace of its own: a file system of 64 KB that is full, and one that may not be written to.
MOUNTED = """
mount -t tmpfs -o size=%s none "$1" || exit 77
printf 'what was there before\\n' >"$1/out"
if [ "$2" = ro ]; then mount -o remount,ro "$1" || exit 77; else head -c 10000000 /dev/zero >"$1/full" 2>/dev/null; fi
shift 2
"$@"
status=$?
ls -A "$OLDPWD" >&2
cat "$OLDPWD/out"
exit $status
"""


def mounted(writer, folder):
    """A full disk, and one that may only be read."""
    for kind, room in (("full", "64k"), ("ro", "64k"), ("nearly full", "16m")):
        script = (MOUNTED % room).replace("$OLDPWD", str(folder)).replace("10000000", "16770000" if kind == "nearly full" else "10000000")
        target = folder / ("new" if writer == "store-add" else "out")
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", str(folder), kind, PROFKIT, *command(writer, target)],
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode == 77 or b"unshare" in done.stderr:
            notes.append("no file systems can be mounted here: a full one and a read-only one were not tried")
            return
        files = set(done.stderr.decode(errors="replace").splitlines()[-3:])
        if kind != "ro" and done.returncode == 0 and (kind == "nearly full" or not expected(writer)):
            continue  # there was room
        expect(f"{writer}: {kind}", done.returncode == 2 and done.stderr.startswith(b"profkit: "), done)
        expect(f"{writer}: {kind}: the file", done.stdout == BEFORE)
        expect(f"{writer}: {kind}: left behind", not [f for f in files if f.endswith(".tmp") or f == "new"], done)


def attempt(part, writer):
    try:
        with tempfile.TemporaryDirectory() as folder:
            part(writer, pathlib.Path(folder))
    except (AssertionError, OSError, subprocess.SubprocessError) as error:
        wrong.append(f"{writer}: {part.__name__}: {error!r}")


def main():
    global INPUTS
    with tempfile.TemporaryDirectory() as temporary:
        INPUTS = pathlib.Path(temporary)
        for source, name in [("chrome/samples.json", "trace.json"), ("torch/stacks.json", "torch.json"), ("pstats/names.prof", "a.prof")]:
            shutil.copy(TESTDATA / source, INPUTS / name)
        writers = ALL if os.environ.get("CONDITIONS") else ["folded", "store", "store-add", "svg"]
        parts = [limited, closed, places, same] + ([mounted] if shutil.which("unshare") else [])
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda job: attempt(*job), [(part, writer) for part in parts for writer in writers]))
    print("\n".join(wrong + sorted(set(notes))))
    print(f"{count} conditions, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not count)


if __name__ == "__main__":
    main()
