#!/usr/bin/env python3
"""Every .lprof file of the corpus: what line_profiler printed of it, byte for byte.

NAME.expected-text[-OPTIONS][-nosource][-byVERSION].txt is what `python -m line_profiler OPTIONS NAME.lprof`
printed, by the version that recorded it or VERSION, in the folder of the source or an empty one. nounit is
a call of show_text without one. line_profiler 3.0.2 fails at functions that never ran if there is no
source: of that text, only the begin is compared. Hits and ticks of all lines are compared with the pickle
itself.
"""
import csv
import io
import os
import pickle
import re
import subprocess
import sys
import tempfile
from pathlib import Path

profkit = os.path.abspath(os.environ.get("PROFKIT", "./profkit"))
corpus = Path(os.environ.get("PROFKIT_CORPUS") or Path(__file__).resolve().parents[2] / "../shared/corpus")
folders = [corpus / "real/line_profiler", corpus / "generated/lprof"]
if not folders[0].is_dir():
    print("no corpus")
    sys.exit(77)
folders = [folder.resolve() for folder in folders]
empty = tempfile.TemporaryDirectory()
OPTIONS = {"z": ["--skip-zero"], "m": ["--summarize"], "t": ["--sort", "total"], "u1e-3": ["--unit", "ms"],
           "u1": ["--unit", "1"], "u1e-6": ["--unit", "us"], "nounit": ["--unit", "1e-9"]}
failed = compared = 0


def run(args, folder):
    return subprocess.run([profkit, *args], cwd=folder, capture_output=True).stdout


def options(text):
    """-zmt and the like as options of profkit."""
    found = []
    for part in re.findall(r"u1(?:e-\d)?|nounit|[zmt]", text):
        found += OPTIONS.get(part, [])
    return found


def look(version):
    """The text of which version profkit shall print."""
    if not version or version.startswith("5.1") or version == "502":
        return "line_profiler"
    known = {"5.0.0": "5.0", "4.2.0": "4.2", "4.0.3": "4.0", "3.5.1": "4.0", "3.0.2": "3.0", "402": "4.0"}
    return "line_profiler-" + known[version]


def compare_text(folder, path):
    global failed, compared
    name, rest = re.fullmatch(r"(.*)\.expected-text(.*)\.txt", path.name).groups()
    by = re.search(r"-by([\d.]+)$", rest) or re.match(r"(502)", rest)
    recorded = re.search(r"-(\d[\d.]*)$", name) or re.match(r"lp(402)", name)
    version = by or recorded
    where = folder
    files = [str(folder / (part + ".lprof")) for part in name.split("+")]
    args = ["lines", "--like", look(version and version[1]), *options(rest.replace("-nosource", ""))]
    if "-nosource" in rest:
        where = empty.name
    elif folder == folders[1]:
        args += ["--source", "."]
    printed, expected = run([*args, *files], where), path.read_bytes()
    compared += 1
    if version[1] == "3.0.2" and "-nosource" in rest:
        printed = printed[:len(expected)]
    print(f"{path.name}: {len(expected)} bytes of text by profkit {' '.join(args)}")
    if printed != expected:
        failed += 1
        print(f"{path.name}: other text by profkit {' '.join(args)}")
        for a, b in zip(printed.decode().split("\n"), expected.decode().split("\n")):
            if a != b:
                print(f"  profkit  {a!r}\n  expected {b!r}")
                break


class Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        if name in ("_reconstructor", "object"):
            return super().find_class({"copy_reg": "copyreg", "__builtin__": "builtins"}.get(module, module), name)
        return type(name, (), {})


def compare_ticks(path):
    global failed, compared
    with open(path, "rb") as f:
        stats = Unpickler(f).load()
    rows = csv.DictReader(io.StringIO(run(["lines", "--format", "csv", str(path)], empty.name).decode()))
    found = {(row["file"], int(row["function_line"]), row["function"], int(row["line"])):
             (int(row["hits"]), int(row["self"])) for row in rows}
    ns = round(stats.unit * 1e9)
    wanted = {(*key, line): (hits, ticks * ns) for key, lines in stats.timings.items() for line, hits, ticks in lines}
    compared += 1
    print(f"{path.name}: hits and ticks of {len(wanted)} lines")
    if found != wanted:
        failed += 1
        print(f"{path.name}: other lines")


for folder in folders:
    for path in sorted(folder.glob("*.expected-text*.txt")):
        compare_text(folder, path)
    for path in sorted(folder.glob("*.lprof")):
        compare_ticks(path)
print(f"{compared} compared, {failed} differ")
sys.exit(failed > 0 or compared < 80)
