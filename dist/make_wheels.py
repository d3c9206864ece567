#!/usr/bin/env python3
"""Makes a wheel of the program and the package in python/profkit: pip puts the program where
scripts are, so that it starts without Python.

    dist/build_static.sh && dist/make_wheels.py       writes dist/out/profkit-VERSION-py3-none-manylinux…whl
    dist/make_wheels.py --binary build/profkit --tag linux_x86_64    of another program, for this system

Without --binary there is a wheel for every processor that build_static.sh was asked for. The program says for which
it is. The same input gives the same bytes."""
import argparse
import base64
import hashlib
import os
import re
import sys
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EPOCH = (2020, 1, 1, 0, 0, 0)
# The static program needs Linux 3.2 (arm64: 3.7) and no C library.
STATIC_TAGS = ("manylinux_2_17_{0}", "manylinux2014_{0}", "musllinux_1_1_{0}")


# What the header of a program has for its processor, and the name of that in tags.
MACHINES = {62: "x86_64", 183: "aarch64"}


def read(*path):
    with open(os.path.join(TOP, *path), "rb") as file:
        return file.read()


def version():
    """That of configure.ac; the package has to say the same."""
    found = re.search(rb"AC_INIT\(\[profkit\], \[([^]]+)\]\)", read("configure.ac"))[1].decode()
    said = re.search(rb'^__version__ = "([^"]+)"', read("python/profkit/__init__.py"), re.M)[1].decode()
    if found != said:
        sys.exit(f"configure.ac is of version {found}, python/profkit/__init__.py of {said}")
    return found


def metadata():
    """What PyPI shows; the text is python/README.md."""
    lines = [
        "Metadata-Version: 2.1", "Name: profkit", f"Version: {version()}",
        "Summary: Read, show, draw, compare and convert profiles of any format",
        "License: MIT", "Keywords: profile,profiler,flamegraph,pstats,pprof,speedscope,performance",
        "Classifier: Development Status :: 4 - Beta", "Classifier: Environment :: Console",
        "Classifier: Intended Audience :: Developers", "Classifier: License :: OSI Approved :: MIT License",
        "Classifier: Operating System :: POSIX :: Linux", "Classifier: Programming Language :: C",
        "Classifier: Programming Language :: Python :: 3", "Classifier: Topic :: Software Development :: Debuggers",
        "Classifier: Typing :: Typed", "Requires-Python: >=3.9",
        "License-File: COPYING", "Description-Content-Type: text/markdown", ""]
    return "\n".join(lines).encode() + b"\n" + read("python/README.md")


def package_files():
    folder = os.path.join(TOP, "python", "profkit")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py") or name == "py.typed":
            yield "profkit/" + name, read("python/profkit", name)


def hashed(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def machine_of(binary):
    """The processor that the program is for, so that a wheel cannot have another one in its name."""
    with open(binary, "rb") as file:
        head = file.read(20)
    machine = MACHINES.get(int.from_bytes(head[18:20], "little"))
    if head[:6] != b"\x7fELF\2\1" or not machine:
        sys.exit(f"{binary} is no program for Linux on x86-64 or arm64")
    return machine


def write_wheel(folder, binary, tags, licenses=None):
    """Writes the wheel into the folder and returns its name."""
    base = f"profkit-{version()}"
    info = base + ".dist-info"
    with open(binary, "rb") as file:
        program = file.read()
    files = list(package_files())
    files.append((base + ".data/scripts/profkit", program))
    # what the action for GitHub and the template for GitLab run: pip's --target is their prefix
    files.append((base + ".data/data/share/profkit/ci/record-and-check.sh", read("ci", "record-and-check.sh")))
    files.append((info + "/licenses/COPYING", read("COPYING")))
    if licenses:
        with open(licenses, "rb") as file:
            files.append((info + "/licenses/LICENSES", file.read()))
    files.append((info + "/METADATA", metadata()))
    head = "Wheel-Version: 1.0\nGenerator: profkit\nRoot-Is-Purelib: false\n"
    files.append((info + "/WHEEL", (head + "".join(f"Tag: py3-none-{tag}\n" for tag in tags)).encode()))
    record = "".join(f"{path},{hashed(data)},{len(data)}\n" for path, data in files) + f"{info}/RECORD,,\n"
    files.append((info + "/RECORD", record.encode()))
    name = f"{base}-py3-none-{'.'.join(tags)}.whl"
    os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in files:
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path.endswith(("/scripts/profkit", ".sh")) else 0o100644) << 16
            archive.writestr(entry, data)
    return name


def main():
    out = os.path.join(TOP, "dist", "out")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", help="the program; those in dist/out if not given")
    parser.add_argument("--licenses", help="the licences of what is linked in (LICENSES beside the program)")
    parser.add_argument("--tag", action="append", help="the platform, instead of those of a static program")
    parser.add_argument("-o", "--output", default=out, help="the folder (%(default)s)")
    options = parser.parse_args()
    made = [os.path.join(out, *folder, "profkit") for folder in ([], *([name] for name in MACHINES.values()))]
    binaries = [options.binary] if options.binary else [path for path in made if os.path.exists(path)]
    if not binaries or not os.path.exists(binaries[0]):
        sys.exit(f"{options.binary or made[0]} is not there: dist/build_static.sh makes it")
    for binary in binaries:
        tags = options.tag or [tag.format(machine_of(binary)) for tag in STATIC_TAGS]
        beside = options.licenses or os.path.join(os.path.dirname(binary), "LICENSES")
        print(os.path.join(options.output, write_wheel(options.output, binary, tags, None if options.tag else beside)))


if __name__ == "__main__":
    main()
