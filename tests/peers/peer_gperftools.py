#!/usr/bin/env python3
"""Functions of libraries have the numbers that pprof prints: of a program that is compiled and recorded here by gperftools, its time
and its heap. As profile.proto without names, too.

Names may differ where a function has several, or where pprof takes the name before the address (_init for a jump to a library).
Skipped where there is no pprof (go install github.com/google/pprof@latest; `go tool pprof` does not look into libraries), no compiler or no
gperftools. PPROF names it if it is not on PATH.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = r"""
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

namespace demo {
struct store {
    std::map<std::string, std::vector<int>> map;
    __attribute__((noinline)) void add(int i) { map["key" + std::to_string(i % 1000)].push_back(i); }
};
__attribute__((noinline)) double waves(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sin(i) * exp(-i % 7);
    return sum;
}
}

int main()
{
    std::vector<int> numbers(300000);
    std::vector<char> from(1 << 22), to(1 << 22);
    demo::store store;
    unsigned x = 1;
    double sum = 0;
    for (int round = 0; round < 8; round++) {
        for (int &n : numbers)
            n = x = x * 1103515245 + 12345;
        qsort(numbers.data(), numbers.size(), sizeof(int), compare);
        for (int i = 0; i < 20; i++)
            memcpy(to.data(), from.data(), from.size() - i - (x & 1));
        for (int i = 0; i < 200000; i++)
            store.add(i);
        sum += demo::waves(500000);
    }
    return printf("%g %d\n", sum, to[7]) < 0;
}
"""


def rows(text):
    """name -> flat, flat%, cum, cum%"""
    lines = text.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split()[:2] == ["flat", "flat%"])
    return {fields[5]: (*fields[:2], *fields[3:5]) for fields in (line.split(None, 5) for line in lines[head + 1:])}


def compare(what, theirs, ours):
    theirs, ours = rows(theirs), rows(ours)
    other = [name for name in theirs if ours.get(name) != theirs[name]]
    if sorted(theirs.values()) == sorted(ours.values()) and len(other) <= len(theirs) / 5 and "main" not in other and len(theirs) > 8:
        return 0
    print(f"FAIL {what}: {len(theirs)} functions, other names or numbers of {other}:\n{ours}\ninstead of\n{theirs}")
    return 1


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, env={**os.environ, **more}).stdout


def main():
    profkit = os.path.abspath(os.environ.get("PROFKIT", "./profkit"))
    pprof = shutil.which(os.environ.get("PPROF", "pprof"))
    if not pprof or not shutil.which("g++"):
        print("skipped: no pprof or no g++")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "work.cc").write_text(PROGRAM)
        try:
            run(["g++", "-O2", "-g", "work.cc", "-o", "work", "-Wl,--no-as-needed", "-lprofiler", "-ltcmalloc"], folder)
        except subprocess.CalledProcessError:
            print("skipped: no libraries of gperftools")
            return 77
        run(["./work"], folder, CPUPROFILE="cpu.prof", CPUPROFILE_FREQUENCY="500")
        run(["./work"], folder, HEAPPROFILE="heap")
        if "without elfutils" in subprocess.run([profkit, "info", "-O", "binary=work", "cpu.prof"], cwd=folder, capture_output=True,
                                                text=True, check=False).stderr:
            print("skipped: profkit was built without elfutils")
            return 77
        failed, environment = 0, {"PPROF_TMPDIR": name}
        for file in ("cpu.prof", "heap.0001.heap"):
            theirs = run([pprof, "-top", "-nodefraction=0", "work", file], folder, **environment)
            unnamed = file + ".pb.gz"
            run([pprof, "-proto", "-symbolize=none", f"-output={unnamed}", file], folder, **environment)
            for path in (file, unnamed):
                ours = run([profkit, "hotspots", "-q", "--like", "pprof", "--nodefraction", "0", "-O", "binary=work", path], folder)
                failed += compare(path, theirs, ours)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
