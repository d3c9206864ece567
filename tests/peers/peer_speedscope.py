#!/usr/bin/env python3
"""speedscope itself opens what profkit writes, and its table of functions has the numbers of hotspots.

The page of the npm package speedscope is opened in headless Chromium with a profile, as its command does, and the table of the view
"sandwich" is read: total, self and name of each function, in the two decimals that it shows. Files of several profiles are opened
only, since the page shows one of them. Skipped without Chromium, and where there is no speedscope: SPEEDSCOPE is its folder.
"""
import base64
import collections
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus"))
from corpus import compare_files  # noqa: E402

TESTDATA = pathlib.Path(os.environ.get("TESTDATA", "../testdata"))
FILES = ["folded/recursion.folded", "py-spy/plain.raw.txt", "cpuprofile/node.cpuprofile", "perf-script/default.perf", "pyinstrument/tree-v5.json",
         "chrome/py-spy.json", "callgrind/levels.out", "pstats/plain-v4.prof", "pprof/everything.pb.gz", "otlp/everything.otlp", "memray/all.bin"]
UNITS = {"": 1, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def profkit(*arguments):
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), *map(str, arguments)], capture_output=True, check=False)
    if run.returncode:
        raise ValueError(run.stderr.decode(errors="replace"))
    return run.stdout


def page(browser, folder, written, wait):
    """The page with this profile, as text, after so many ms of its clock."""
    with tempfile.TemporaryDirectory() as work:
        script = pathlib.Path(work) / "profile.js"
        script.write_text(f'speedscope.loadFileFromBase64("x.json", "{base64.b64encode(written).decode()}")', encoding="ascii")
        place = folder / "dist/release/index.html"
        return subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--allow-file-access-from-files", f"--user-data-dir={work}/profile", "--window-size=1400,4000", f"--virtual-time-budget={wait}",
             "--dump-dom", f"file://{place.resolve()}#localProfilePath={script}&view=sandwich"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, timeout=1800).stdout.decode()


def number(text):
    """What is shown, in our units, and half of its last digit: 40.00ms (40%)."""
    found = re.match(r"([\d,]*\.?(\d*))([^\d ]*) \(", text)
    unit = UNITS[found[3]]
    return float(found[1].replace(",", "")) * unit, 0.5 * 10 ** -len(found[2]) * unit


def cells_of(text):
    """The table of functions, three cells for each."""
    cells = [html.unescape(c) for c in re.sub(r"<[^>]*>", "\n", text.split("<body>")[1]).split("\n") if c.strip()]
    at = cells.index("Symbol Name") + 1 if "Symbol Name" in cells else len(cells)
    end = at
    while end + 2 < len(cells) and re.search(r"\(.*%\)$", cells[end]):
        end += 3
    return cells[at:end]


def shown(cells):
    """Total and self, each with its error, by name."""
    rows = collections.defaultdict(list)
    for total, own, name in zip(cells[::3], cells[1::3], cells[2::3]):
        rows[name].append((number(total), number(own)))
    return rows


def compare(browser, folder, path):
    written = profkit("convert", "-q", "--to", "speedscope", path, "-o", "-")
    for attempt in range(5):  # on a busy machine the page may end before it has loaded the script
        cells = cells_of(page(browser, folder, written, 8000 << attempt))
        if cells:
            break
    else:
        raise ValueError("the page shows no functions")
    if len(json.loads(written)["profiles"]) > 1:
        return 0
    rows = shown(cells)
    ours = collections.defaultdict(list)
    for f in json.loads(profkit("hotspots", "-q", "--format", "json", "--limit", "0", path))["rows"]:
        ours[f["function"]].append((f["total"], f["self"]))
    if ours.keys() != rows.keys():
        raise ValueError(f"functions: the page has {sorted(rows)}, profkit {sorted(ours)}")
    for name, values in ours.items():
        for mine, its in zip(sorted(values), sorted(rows[name])):
            if any(abs(a - b) > error * 1.001 for a, (b, error) in zip(mine, its)):
                raise ValueError(f"{name}: the page has {its}, profkit {mine}")
    return len(ours)


def main():
    folder = os.environ.get("SPEEDSCOPE")
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not folder or not browser:
        print("skipped: there is no speedscope (npm: speedscope), or no Chromium")
        return 77
    return compare_files([TESTDATA / name for name in FILES], lambda path: compare(browser, pathlib.Path(folder), path), "functions", 50)


if __name__ == "__main__":
    sys.exit(main())
