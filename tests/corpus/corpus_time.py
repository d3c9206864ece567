#!/usr/bin/env python3
"""Every text of time in the corpus: all numbers in it, found by expressions of this test's own.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import re
import sys

from corpus import compare_files, corpus, query

KIB = 1024
VERBOSE = {
    "User time (seconds)": ("user", 1), "System time (seconds)": ("system", 1), "Percent of CPU this job got": ("cpu", 1),
    "Maximum resident set size (kbytes)": ("maxrss", KIB), "Major (requiring I/O) page faults": ("major_faults", 1),
    "Minor (reclaiming a frame) page faults": ("minor_faults", 1),
    "Voluntary context switches": ("voluntary_switches", 1), "Involuntary context switches": ("involuntary_switches", 1),
    "Swaps": ("swaps", 1), "File system inputs": ("inputs", 1), "File system outputs": ("outputs", 1),
    "Socket messages sent": ("messages_sent", 1), "Socket messages received": ("messages_received", 1),
    "Signals delivered": ("signals", 1),
}
DEFAULT = re.compile(r"(?P<user>[\d.]+)user (?P<system>[\d.]+)system (?P<time>[\d:.]+)elapsed (?P<cpu>\d+)%CPU "
                     r"\(0avgtext\+0avgdata (?P<maxrss>\d+)maxresident\)k\n(?P<inputs>\d+)inputs\+(?P<outputs>\d+)outputs "
                     r"\((?P<major_faults>\d+)major\+(?P<minor_faults>\d+)minor\)pagefaults (?P<swaps>\d+)swaps")
POSIX = re.compile(r"^(real|user|sys)\s+(?:(\d+)m)?([\d.]+)s?$", re.M)


def seconds(text):
    value = 0
    for part in text.split(":"):
        value = value * 60 + float(part)
    return value


def expected(text):
    if "Command being timed" in text:
        found = {name: float(re.search(rf"\t{re.escape(key)}: ([\d.]+)", text)[1]) * unit
                 for key, (name, unit) in VERBOSE.items()}
        found["time"] = seconds(re.search(r"m:ss\): (\S+)", text)[1])
        return found
    match = DEFAULT.search(text)
    if match:
        found = {key: seconds(value) for key, value in match.groupdict().items()}
        found["maxrss"] *= KIB
        return found
    names = {"real": "time", "user": "user", "sys": "system"}
    return {names[word]: 60 * int(minutes or 0) + float(rest) for word, minutes, rest in POSIX.findall(text)}


def compare(path):
    text = path.read_text()
    want = expected(text)
    got = dict(query(path, "select (select text from string where id = m.name) as name, value.value from value "
                     "join metric m on m.id = metric"))
    assert want.keys() == got.keys() and len(want) in (3, 10, 15), (want, got)
    for name, value in want.items():
        assert abs(got[name] - value) <= 1e-9 * value, (name, value, got[name])
    facts = dict(query(path, "select (select text from string where id = key) as k, "
                       "(select text from string where id = arg.value) as v from arg"))
    end = re.search(r"non-zero status (\d+)|terminated by (signal \d+)|Exit status: ([1-9]\d*)", text)
    assert facts.get("exit_codes") == (next(filter(None, end.groups())) if end else None), facts
    return len(want)


def main():
    return compare_files(sorted(corpus().glob("real/time/*.txt")), compare, "numbers", 100)


if __name__ == "__main__":
    sys.exit(main())
