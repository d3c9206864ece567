"""What `go tool pprof -raw` prints, taken apart, so that two can be compared whatever their ids and orders are."""
import collections
import functools
import os
import re
import shutil
import subprocess

Raw = collections.namedtuple("Raw", "types period samples mappings header")


def environment(folder):
    return dict(os.environ, PPROF_TMPDIR=folder, TZ="UTC")


@functools.lru_cache
def go_pprof():
    """The program that `go tool pprof` runs: the go command itself takes ten times as long as it."""
    path = subprocess.run(["go", "tool", "-n", "pprof"], capture_output=True, check=False, text=True).stdout.strip()
    return [path] if os.path.isfile(path) else ["go", "tool", "pprof"]


def go_raw(path, folder):
    """None if pprof does not read the file."""
    run = subprocess.run([*go_pprof(), "-symbolize=none", "-raw", str(path)], capture_output=True, check=False,
                         env=environment(folder))
    return run.stdout.decode(errors="replace") if not run.returncode else None


def have_go():
    return shutil.which("go") is not None


def parse_labels(text):
    """kind:[a b] bytes:[4096 bytes]: as they are, sorted by pprof."""
    return tuple(re.findall(r"\S.*?:\[.*?\](?= \S+:\[|$)", text.strip()))


def parse_locations(lines):
    found, current = {}, None
    for line in lines:
        head = re.match(r" *(\d+): 0x([0-9a-f]+) (M=(\d+) )?(\[F\] )?(.*)$", line)
        if head:
            current = found.setdefault(int(head[1]), [int(head[2], 16), int(head[4] or 0), []])
            if head[6]:
                current[2].append(head[6])
        elif line.startswith("             "):
            current[2].append(line.strip())
    return found


def is_blank(mapping):
    """As the one that pprof makes if there is none."""
    return re.match(r"0x0/0x0/0x0 *(\[|$)", mapping)


def parse(text):
    """Samples are added up by stack and labels: values of each type. Mappings that nothing refers to are kept."""
    lines = text.splitlines()
    at, where, there = lines.index("Samples:"), lines.index("Locations"), lines.index("Mappings")
    locations = parse_locations(lines[where + 1:there])
    mappings = {int(line.split(":")[0]): line.split(": ", 1)[1].strip() for line in lines[there + 1:] if ": " in line}
    mappings = {i: text for i, text in mappings.items() if not is_blank(text)}
    stacks = {i: (address, mappings.get(mapping, "") if mapping else "", tuple(names))
              for i, (address, mapping, names) in locations.items()}
    samples = collections.defaultdict(lambda: [0] * len(lines[at + 1].split()))
    rows = []
    for line in lines[at + 2:where]:
        match = re.match(r"((?: +-?\d+)+): ([\d ]*)$", line)
        if match and not line.startswith("                "):
            rows.append(([int(v) for v in match[1].split()], [int(i) for i in match[2].split()], []))
        else:
            rows[-1][2].extend(parse_labels(line))
    for values, stack, labels in rows:
        sums = samples[tuple(stacks[i] for i in stack), tuple(sorted(labels))]
        for i, value in enumerate(values):
            sums[i] += value
    header = [line for line in lines[:at] if not line.startswith("Period")]
    return Raw(lines[at + 1], [line for line in lines[:at] if line.startswith("Period")],
               {key: tuple(v) for key, v in samples.items()}, sorted(mappings.values()), header)
