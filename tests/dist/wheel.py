#!/usr/bin/env python3
"""The wheel: what is in it, and that it works where pip installs it without a network, in the oldest and the
newest Python that is here. The static program alone works where there is no other file. Skipped where
dist/build_static.sh has not made the program (DIST_OUT is the folder in which it is)."""
import base64
import glob
import hashlib
import os
import shutil
import sys
import tempfile
import time
import zipfile

from steps import expect, failed, run

ROOT = os.path.abspath(os.environ.get("srcdir", "."))
OUT = os.environ.get("DIST_OUT", os.path.join(ROOT, "dist", "out"))
BEFORE = os.path.join(ROOT, "testdata", "example", "before.prof")
BINARY = os.path.join(OUT, "profkit")


def pythons():
    """The oldest and the newest Python from 3.9 that is installed and can make environments."""
    found = {}
    home = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    for path in [sys.executable, *glob.glob("/usr/bin/python3.*"), *glob.glob(home + "/versions/3.*/bin/python3")]:
        if "config" not in path:
            said = run(path, "-c", "import ensurepip, sys; print(*sys.version_info[:2])")
            if said.returncode == 0:
                found.setdefault(tuple(map(int, said.stdout.split())), path)
    fit = sorted(version for version in found if version >= (3, 9))
    return [found[version] for version in sorted({fit[0], fit[-1]})] if fit else []


def check_contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        record = next(name for name in names if name.endswith("RECORD"))
        listed = dict(line.split(",")[:2] for line in archive.read(record).decode().splitlines())
        expect("RECORD lists all files", sorted(listed) == sorted(names))
        for name, said in listed.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
            expect(f"hash of {name}", name == record or said == "sha256=" + digest)
        mode = archive.getinfo(next(n for n in names if n.endswith(".data/scripts/profkit"))).external_attr >> 16
        expect("the program can be run", mode & 0o111 == 0o111)
        expect("licences", any(n.endswith("licenses/LICENSES") for n in names))
        expect("typed", "profkit/py.typed" in names)


def check_installed(python, wheel, folder):
    version = run(python, "--version").stdout.strip()
    venv = os.path.join(folder, version.replace(" ", "-"))
    made = run(python, "-m", "venv", venv)
    expect(f"{version}: venv: {made.stdout}", made.returncode == 0)
    clean = {"PATH": "/nowhere", "HOME": folder, "LANG": "C.UTF-8"}
    pip = run(venv + "/bin/python", "-m", "pip", "install", "--no-index", "--no-deps", wheel, env=clean)
    expect(f"{version}: pip: {pip.stdout}", pip.returncode == 0)
    said = run(venv + "/bin/profkit", BEFORE, env=clean)
    expect(f"{version}: profkit: {said.stdout}", "price_of" in said.stdout)
    code = ("import profkit, sys; p = profkit.load(sys.argv[1]); print(p.hotspots()[0].self, p.callgraph().is_svg, "
            "p.flamegraph().is_svg)")
    said = run(venv + "/bin/python", "-c", code, BEFORE, env=clean, cwd=folder)
    expect(f"{version}: import: {said.stdout}", said.stdout.strip() == "185217776 True True")
    said = run(venv + "/bin/python", "-m", "profkit", "--version", env=clean, cwd=folder)
    expect(f"{version}: -m profkit: {said.stdout}", said.stdout.startswith("profkit "))
    os.remove(venv + "/bin/profkit")
    said = run(venv + "/bin/python", "-c", code, BEFORE, env=clean, cwd=folder)
    expect(f"{version}: without the program: {said.stdout}", "profkit.Error" in said.stdout.replace("_binary.", "")
           and "is not where this package is installed" in said.stdout)
    print(f"{version}: installed and run")


def check_alone(folder):
    """In a root folder that has nothing but the program and a profile, if we may change the root."""
    expect("12 MB at most", os.path.getsize(BINARY) < 12e6)
    begin = time.process_time(), os.times().children_user + os.times().children_system
    for _ in range(20):
        run(BINARY, "--version")
    used = (os.times().children_user + os.times().children_system - begin[1]) / 20
    print(f"{os.path.getsize(BINARY) / 1e6:.1f} MB, starts in {used * 1000:.1f} ms of processor time")
    expect("5 ms to start", used < 0.005)
    expect("sandbox", run(BINARY, BEFORE, env={"PROFKIT_SANDBOX": "yes"}).returncode == 0)
    expect("licences", "Graphviz" in run(BINARY, "--version", "--licenses").stdout)
    root = os.path.join(folder, "root")
    os.mkdir(root)
    shutil.copy(BINARY, root)
    shutil.copy(BEFORE, root)
    if os.geteuid() or not shutil.which("chroot"):
        print("not root: the program was not run alone in a folder")
        return
    whole = [["before.prof"], ["callgraph", "before.prof", "-o", "x.svg"], ["flamegraph", "before.prof", "-o", "y.svg"],
             ["report", "before.prof", "-o", "z.html"], ["query", "before.prof", "select count(*) from function"]]
    for words in whole:
        said = run("chroot", root, "/profkit", *words)
        expect(f"alone: {' '.join(words)}: {said.stdout}", said.returncode == 0)
    with open(os.path.join(root, "x.svg"), encoding="utf-8") as file:
        text = file.read()
    expect("the call graph is whole", "price_of" in text and text.endswith("</svg>\n"))
    for kind in ("png", "pdf"):
        said = run("chroot", root, "/profkit", "callgraph", "before.prof", "-o", "x." + kind)
        expect(f"{kind}: {said.stdout}", said.returncode == 2 and f"for {kind} install Graphviz" in said.stdout)


def main():
    if not os.path.exists(BINARY):
        print(f"skipped: {BINARY} is not there (dist/build_static.sh makes it)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        names = [run(sys.executable, os.path.join(ROOT, "dist", "make_wheels.py"), "--binary", BINARY, "--licenses",
                     os.path.join(OUT, "LICENSES"), "-o", os.path.join(folder, part)).stdout.strip() for part in "ab"]
        with open(names[0], "rb") as first, open(names[1], "rb") as second:
            expect("made twice, the same bytes", first.read() == second.read())
        check_contents(names[0])
        print(f"{os.path.basename(names[0])}: {os.path.getsize(names[0]) / 1e6:.1f} MB")
        for python in pythons():
            check_installed(python, names[0], folder)
        check_alone(folder)
    sys.exit(bool(failed))


main()
