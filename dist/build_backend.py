"""The backend of pyproject.toml: pip install . and an sdist that is built where it is installed.

A wheel is the program as ./configure && make gives it, with the libraries of this system; the wheels
that run everywhere are made by make_wheels.py from the static program."""
import gzip
import io
import os
import subprocess
import sys
import sysconfig
import tarfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_wheels  # noqa: E402

NEEDED = "a C compiler, make, pkg-config, and SQLite, expat, zlib, zstd, lz4, libdeflate, Graphviz, PCRE2, libedit " \
    "and libiberty with their headers (Debian: ./quickstart lists the packages)"
# What is generated, and needs autoconf where it is not there.
GENERATED = ("configure", "config.h.in", "Makefile.in", "aclocal.m4", "build-aux")
FOLDERS = ("bench", "build-aux", "ci", "dist", "docs", "fuzz", "man", "python", "src", "testdata/example", "tests", "tools")


def _run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed in {cwd}; profkit needs {NEEDED}")


def _configure_script():
    if not os.path.exists(os.path.join(make_wheels.TOP, "configure")):
        _run("./autogen.sh", cwd=make_wheels.TOP)


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip asks first, without which it would build twice."""
    name = f"profkit-{make_wheels.version()}.dist-info"
    os.makedirs(os.path.join(metadata_directory, name))
    with open(os.path.join(metadata_directory, name, "METADATA"), "wb") as file:
        file.write(make_wheels.metadata())
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = os.path.join(make_wheels.TOP, "build-wheel")
    os.makedirs(build, exist_ok=True)
    _configure_script()
    if not os.path.exists(os.path.join(build, "Makefile")):
        _run("../configure", "-q", "CFLAGS=" + os.environ.get("CFLAGS", "-O2"), cwd=build)
    _run("make", "-s", f"-j{os.cpu_count() or 1}", "profkit", cwd=build)
    tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return make_wheels.write_wheel(wheel_directory, os.path.join(build, "profkit"), [tag])


def _source_files():
    """What ./configure && make need, and the examples."""
    top = make_wheels.TOP
    for name in sorted(os.listdir(top)):
        if os.path.isfile(os.path.join(top, name)) and (
                name in GENERATED or not name.startswith((".", "config.", "stamp-")) and name != "Makefile"
                and not name.endswith(("~", ".log"))):
            yield name
    for folder in FOLDERS:
        for place, folders, names in os.walk(os.path.join(top, folder)):
            folders[:] = sorted(f for f in folders if f not in ("__pycache__", "out", ".deps"))
            for name in sorted(names):
                path = os.path.join(place, name)
                made = name.endswith((".o", ".a", ".log", ".trs", ".pyc", ".dirstamp"))
                if not made and (os.path.islink(path) or os.path.isfile(path)):
                    yield os.path.relpath(path, top)


def build_sdist(sdist_directory, config_settings=None):
    _configure_script()
    base = f"profkit-{make_wheels.version()}"
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as archive:
        def add(name, content, mode=0o644, when=0):
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size, entry.mode, entry.mtime = len(content), mode, when
            archive.addfile(entry, io.BytesIO(content))
        add("PKG-INFO", make_wheels.metadata())
        for name in _source_files():
            path = os.path.join(make_wheels.TOP, name)
            state = os.stat(path)
            # make must not want autoconf again: the order of times is kept
            add(name, make_wheels.read(name), 0o755 if state.st_mode & 0o100 else 0o644, int(state.st_mtime))
    os.makedirs(sdist_directory, exist_ok=True)
    with open(os.path.join(sdist_directory, base + ".tar.gz"), "wb") as file:
        with gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
            packed.write(data.getvalue())
    return base + ".tar.gz"
