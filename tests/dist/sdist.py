#!/usr/bin/env python3
"""The release archive for pip: nothing of a build is in it, the same sources give the same bytes, and pip makes a wheel
of it by the backend in dist/, without a network and without packages that are not there: program, Python package and
metadata are those of this version. Skipped without pip or a compiler. What is compiled is not optimized, for time."""
import os
import shutil
import sys
import tarfile
import tempfile

ROOT = os.path.abspath(os.environ.get("srcdir", "."))
BEFORE = os.path.join(ROOT, "testdata", "example", "before.prof")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "dist"))

from steps import expect, failed, run  # noqa: E402


def make(folder):
    import build_backend
    return os.path.join(folder, build_backend.build_sdist(folder))


def check_contents(path):
    with tarfile.open(path) as archive:
        names = archive.getnames()
        base = os.path.basename(path)[:-len(".tar.gz")]
        expect("one folder", all(name.startswith(base + "/") for name in names))
        has = {name[len(base) + 1:] for name in names}
        for name in ("PKG-INFO", "pyproject.toml", "configure", "Makefile.in", "src/model/profile.h", "COPYING",
                     "python/profkit/py.typed", "dist/build_backend.py", "testdata/example/before.prof"):
            expect(f"{name} is in it", name in has)
        made = [name for name in has if name.endswith((".o", ".a", ".pyc", ".log")) or name.startswith((".git", "build/"))
                or name in ("Makefile", "config.h", "config.status")]
        expect(f"nothing of a build: {made}", not made)
        expect("no program", not any(archive.extractfile(name).read(4) == b"\x7fELF" for name in names))
        said = archive.extractfile(base + "/PKG-INFO").read().decode()
        expect("PKG-INFO", said.startswith("Metadata-Version: ") and f"\nVersion: {base.split('-')[1]}\n" in said)


def check_pip(path, folder):
    venv = os.path.join(folder, "venv")
    if run(sys.executable, "-m", "venv", venv).returncode:
        print("pip is not here: the archive was not installed")
        return
    environment = dict(os.environ, CFLAGS="-O0", PIP_NO_CACHE_DIR="1", PIP_DISABLE_PIP_VERSION_CHECK="1", TMPDIR=folder)
    for name in ("PYTHONPATH", "PROFKIT", "PROFKIT_BINARY", "srcdir", "MAKEFLAGS", "MFLAGS"):
        environment.pop(name, None)
    pip = run(venv + "/bin/python", "-m", "pip", "install", "--no-index", path, env=environment, cwd=folder)
    expect(f"pip: {pip.stdout[-4000:]}", pip.returncode == 0)
    if pip.returncode:
        return
    said = run(venv + "/bin/profkit", BEFORE, env=environment)
    expect(f"profkit: {said.stdout}", "price_of" in said.stdout)
    code = "import profkit, sys; print(profkit.load(sys.argv[1]).hotspots()[0].self, profkit.__file__)"
    said = run(venv + "/bin/python", "-c", code, BEFORE, env=environment, cwd=folder)
    expect(f"package: {said.stdout}", said.stdout.startswith("185217776 " + venv))
    said = run(venv + "/bin/python", "-m", "pip", "show", "-f", "profkit", env=environment)
    expect(f"metadata: {said.stdout}", "License: MIT" in said.stdout and "profkit/py.typed" in said.stdout)


def main():
    if sys.version_info < (3, 9):
        print("skipped: the package is for Python 3.9 and later")
        sys.exit(77)
    if not shutil.which("cc") and not shutil.which("gcc"):
        print("skipped: no C compiler")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for part in "ab":
            os.mkdir(os.path.join(folder, part))
            paths.append(make(os.path.join(folder, part)))
        with open(paths[0], "rb") as first, open(paths[1], "rb") as second:
            expect("made twice, the same bytes", first.read() == second.read())
        check_contents(paths[0])
        check_pip(paths[0], folder)
    sys.exit(bool(failed))


main()
