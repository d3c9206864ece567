#!/usr/bin/env python3
"""What callgrind_annotate of valgrind prints, of the fixtures and, where there is one, of the corpus.

Functions and trees, with and without the costs of called functions, the sources with their costs, and all of it of what
profkit writes of these files. Equal rows come in any
order from it (Perl), so that lines are compared sorted. Skipped where there is no callgrind_annotate.
"""
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source folder is not ours to write to
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "corpus"))
from corpus import corpus  # noqa: E402

FIXTURES = pathlib.Path(os.environ.get("srcdir", ".")).resolve() / "testdata/callgrind"
# It reads one part of a file, and does not print threads and what is before the first part of several.
PARTS = {"dumpbefore.out", "threads-combined.out", "threads.out"}


def run(*command, folder):
    done = subprocess.run([str(c) for c in command], capture_output=True, check=False, cwd=folder)
    if done.returncode:
        raise AssertionError(f"{command}: {done.stderr.decode(errors='replace')}")
    return done.stdout.splitlines()


def differ(ours, theirs, what):
    if sorted(ours) == sorted(theirs):
        return 0
    print("FAIL", what)
    for sign, only in ("-", set(theirs) - set(ours)), ("+", set(ours) - set(theirs)):
        for line in sorted(only)[:5]:
            print(sign, line.decode(errors="replace"))
    return 1


def compare_functions(profkit, path, threshold="100"):
    failed = 0
    for tree, inclusive in itertools.product(("none", "both"), ("no", "yes")):
        theirs = run("callgrind_annotate", "--auto=no", f"--tree={tree}", f"--inclusive={inclusive}",
                     f"--threshold={threshold}", path.name, folder=path.parent)
        ours = run(profkit, "hotspots", "--like", "callgrind_annotate", "--tree", tree, "--threshold", threshold,
                   *["--inclusive"] * (inclusive == "yes"), path.name, folder=path.parent)
        failed += differ(ours, theirs, f"{path} --tree={tree} --inclusive={inclusive}")
    return failed


def compare_written(profkit, path, folder):
    """What profkit writes of a file that it read, as callgrind_annotate reads it."""
    folder.mkdir()
    run(profkit, "convert", path, "--to", "callgrind", "-o", folder / path.name, folder=folder)
    failed = 0
    for inclusive in ("no", "yes"):
        command = "callgrind_annotate", "--tree=both", f"--inclusive={inclusive}", "--threshold=100", path.name
        failed += differ(run(*command, folder=folder), run(*command, folder=path.parent), f"{path} written, {inclusive}")
    return failed


def compare_sources(profkit, path, folder):
    (folder / "src").mkdir(exist_ok=True)
    shutil.copy(FIXTURES / "parse.c", folder / "src")
    header = re.search(r"<<'END'\n(.*)END\n", (FIXTURES / "record.sh").read_text(), re.S).group(1)
    (folder / "src/parse.h").write_text(header + "\n" * (path.name != "cache.out"))
    for name in os.listdir(folder / "src"):
        os.utime(folder / "src" / name, (0, 0))  # it warns of sources that are newer
    shutil.copy(path, folder)
    theirs = run("callgrind_annotate", f"--include={folder}", path.name, folder=folder)
    ours = run(profkit, "lines", "--like", "callgrind_annotate", "--source", folder, path.name, folder=folder)
    return differ(ours, theirs, f"{path} with sources")


def main():
    if not shutil.which("callgrind_annotate"):
        print("no callgrind_annotate")
        return 77
    profkit = shutil.which(os.environ.get("PROFKIT", "profkit"))
    recorded = sorted(set(FIXTURES.glob("*.out")) - {FIXTURES / "cachegrind.out"})
    files = recorded + [FIXTURES / "cachegrind.out"]
    files += sorted((corpus() / "real/callgrind").glob("*.out")) + sorted((corpus() / "generated/callgrind").glob("*.out*"))
    files = [f for f in files if f.name not in PARTS]
    # Their own units and names; what is written of them is in ns. It cannot read the file of yappi 1.4.0, and gives the
    # functions of yappi's list of names, which have no costs there, to the last file of the list.
    others = [FIXTURES / "xdebug.callgrind", *sorted((corpus() / "generated/yappi").glob("yappi-head*.callgrind")),
              *sorted((corpus() / "real/programs").glob("*.callgrind"))]
    failed = sum(compare_functions(profkit, f.resolve()) for f in files)
    failed += sum(compare_functions(profkit, f.resolve(), "99") for f in others)
    with tempfile.TemporaryDirectory() as folder:
        failed += sum(compare_written(profkit, f.resolve(), pathlib.Path(folder) / str(i)) for i, f in enumerate(files))
        failed += sum(compare_sources(profkit, f, pathlib.Path(folder)) for f in recorded if f.name not in PARTS)
    print(f"{len(files) + len(others)} files, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
