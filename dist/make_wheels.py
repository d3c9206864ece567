#!/usr/bin/env python3
"""Makes a wheel of the program and the package in python/profkit: pip puts the program where
scripts are, so that it starts without Python.

    dist/build_static.sh && dist/make_wheels.py       writes dist/out/profkit-VERSION-py3-none-manylinux…whl
    dist/make_wheels.py --binary build/profkit --tag linux_x86_64    of another program, for this system

The same input gives the same bytes."""
import argparse
import base64
import hashlib
import os
import platform
import re
import sys
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EPOCH = (2020, 1, 1, 0, 0, 0)
# The static program needs Linux 3.2 and no C library.
STATIC_TAGS = ("manylinux_2_17_{0}", "manylinux2014_{0}", "musllinux_1_1_{0}")


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
    parser.add_argument("--binary", default=os.path.join(out, "profkit"), help="the program (%(default)s)")
    parser.add_argument("--licenses", default=os.path.join(out, "LICENSES"),
                        help="the licences of what is linked in (%(default)s)")
    parser.add_argument("--tag", action="append", help="the platform, instead of those of a static program")
    parser.add_argument("--machine", default=platform.machine(), help="the processor (%(default)s)")
    parser.add_argument("-o", "--output", default=out, help="the folder (%(default)s)")
    options = parser.parse_args()
    if not os.path.exists(options.binary):
        sys.exit(f"{options.binary} is not there: dist/build_static.sh makes it")
    tags = options.tag or [tag.format(options.machine) for tag in STATIC_TAGS]
    licenses = None if options.tag else options.licenses
    print(os.path.join(options.output, write_wheel(options.output, options.binary, tags, licenses)))


if __name__ == "__main__":
    main()
