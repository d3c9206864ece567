#!/usr/bin/env python3
"""Every profile of gperftools in the corpus, and what else pprof reads beside its own format, is read as `go tool pprof -raw`
prints it: types, mappings, and the values of each type by stack (addresses, mappings, names of Java) and labels.

With -O binary, functions and lines of the program have the samples that `google-pprof --lines` prints.

Names that Go writes in comments, which pprof ignores, are not compared. Skipped where there is no corpus or no go.
"""
import re
import sys
import tempfile

import corpus_pprof
import pprof_raw
from corpus import compare_files, corpus

PATTERNS = ["real/gperftools/*.prof", "real/gperftools/*.heap", "generated/gperftools/*.heap", "*/pprof-go/*.debug1.txt",
            "peers/pprof/profile/testdata/go.crc32.cpu", "peers/pprof/profile/testdata/go.godoc.thread",
            "peers/pprof/profile/testdata/java.contention", "peers/pprof/profile/testdata/java.cpu",
            "peers/pprof/profile/testdata/java.heap", "peers/pprof/internal/driver/testdata/go.crc32.cpu",
            "peers/pprof/internal/driver/testdata/cppbench.cpu", "peers/pprof/internal/driver/testdata/cppbench.contention",
            "peers/pprof/internal/driver/testdata/cppbench.small.contention"]


NO_ADDRESS = 2 ** 64 - 1  # 0, which Go writes, less the 1 that pprof takes off


def stack_of(p, node, java):
    stack = []
    while node:
        location = p["location"][p["node"][node]["location"]]
        if not location.get("inlined"):
            stack.append((corpus_pprof.number(location.get("address")),
                          corpus_pprof.mapping_text(p["mapping"][location.get("mapping") or 0]),
                          (corpus_pprof.text_of(p, location),) if java else ()))
        node = p["node"][node]["parent"]
    return () if stack == [(0, "", ())] else tuple(stack)


def samples_of(p, types, java):
    samples = {}
    for cost in p["cost"][1:]:
        key = stack_of(p, cost["node"], java), corpus_pprof.labels_of(p, cost.get("labels"))
        values = samples.setdefault(key, [0] * len(types))
        values[types.index(p["metric"][cost.get("metric") or 1]["name"])] += cost["self"]
    return {key: tuple(values) for key, values in samples.items()}


def without_fake(stack):
    """pprof makes a mapping for addresses that have none."""
    return () if stack[0][0] == NO_ADDRESS else \
        tuple((address, "" if mapping.startswith("0x0/0xffffffffffffffff/") else mapping, names)
              for address, mapping, names in stack)


def compare(path, folder):
    raw, p = pprof_raw.parse(pprof_raw.go_raw(path, folder)), corpus_pprof.load(path, "-O", "symbols=no")
    java = path.name.startswith("java")
    types = [tuple(t.replace("[dflt]", "").split("/")) for t in raw.types.split()]
    ours = samples_of(p, [t[0] for t in types], java)
    should = {(without_fake(stack), labels): values for (stack, labels), values in corpus_pprof.scaled(raw, types).items()
              if any(values)}
    if ours != should:
        wrong = [(key, ours.get(key), should.get(key)) for key in ours.keys() | should.keys() if ours.get(key) != should.get(key)]
        raise ValueError(f"{len(wrong)} of {len(should)} samples differ: {sorted(wrong, key=str)[0]}")
    mappings = sorted(filter(None, (corpus_pprof.mapping_text(m) for m in p["mapping"][1:])))
    expected = [re.sub(r" *(\[(FN|FL|LN|IN)\])*$", "", m) for m in raw.mappings if not m.startswith("0x0/0xffffffffffffffff/")]
    if mappings != expected:
        raise ValueError(f"mappings {mappings} instead of {expected}")
    if len(p["repair"]) > 1:
        raise ValueError(f"repairs {p['repair'][1:]}")
    return len(ours)


def compare_symbols(name, program):
    """Self values of functions and lines of the program."""
    folder = corpus() / "real/gperftools"
    should = {}
    for line in (folder / "mixed.prof.expected-text-lines.txt").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[-1].startswith("/srv/samp/"):
            should[fields[5], fields[-1]] = int(fields[0])
    p, sums = corpus_pprof.load(folder / name, "-O", f"binary={folder / program}"), dict.fromkeys(should, 0)
    if "samples" not in [m.get("name") for m in p["metric"]]:
        raise ValueError("no samples")
    for cost in p["cost"][1:]:
        location = p["location"][p["node"][cost["node"]]["location"]]
        f = p["function"][location["function"]]
        if p["metric"][cost.get("metric") or 1]["name"] == "samples" and (f["file"] or "").startswith("/srv/samp/"):
            sums[f["name"], f"{f['file']}:{location['line']}"] = \
                sums.get((f["name"], f"{f['file']}:{location['line']}"), 0) + cost["self"]
    if sums != should:
        raise ValueError(f"{sums} instead of {should}")
    return len(sums)


def has_symbols():
    folder = corpus() / "real/gperftools"
    try:
        corpus_pprof.load(folder / "alloc.heap", "-O", f"binary={folder / 'alloc.elf'}")
    except ValueError as error:
        if "without elfutils" in str(error):
            return False
        raise
    return True


def main():
    if not pprof_raw.have_go():
        print("skipped: there is no go")
        return 77
    files = [path for pattern in PATTERNS for path in sorted(corpus().glob(pattern))]
    if has_symbols():
        assert compare_symbols("mixed.prof", "mixed-gp.elf") >= 11
    with tempfile.TemporaryDirectory() as folder:
        return compare_files(files, lambda path: compare(path, folder), "samples", 280)


if __name__ == "__main__":
    sys.exit(main())
