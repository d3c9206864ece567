#!/usr/bin/env python3
"""Every file of austin in the corpus, text and binary: the same threads, paths and sums.

The files are read here once more, by the rules in src/readers/austin/austin.c, and compared with what
profkit's tables hold, path by path and thread by thread, lines included. Where the corpus has
what austin-compress made of a file, the sums of each path are compared with that, too: it adds
up the first metric, and takes the numbers of threads for hexadecimal. Binary files have the sums
of their texts, made by another reader (mojodump) or by mojo2austin, which leaves out collections
and, in mode full, all but the time.
Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import collections
import gzip
import sys

from corpus import corpus, query

SKIP = 77
WHERE = ["cases/*.austin*", "real/austin/*.austin", "real/austin/*.austinp", "peers/austin-python/test/data/*.out",
         "peers/austin-python/test/data/*.austin", "real/austin/*.expected-mojo2austin.txt*",
         "peers/inferno/tests/data/flamegraph/austin/*.txt"]
OTHER = ["diff_a-b.austin"]  # folded stacks, whatever its suffix says
NO_FRAMES = ("[no Python frames]", "", 0)


def content(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def frame(text):
    """(function, file, line)"""
    parts = text.rsplit(":", 2)
    if len(parts) < 3 or not (parts[2] or "0").isdigit():
        return text, "", 0
    file, function, line = parts
    if not file or file == "kernel":
        return function, "", 0
    if file.startswith("native@"):
        return (function if function != "<unknown>" else "0x" + file[7:]), "", 0
    return function, file, int(line or 0)


def samples(text):
    """(pid, thread, frames, metrics, mode) of each line."""
    mode = "wall"
    for line in text.split("\n"):
        if line.startswith("# mode: "):
            mode = line[8:]
        if not line.startswith("P"):
            continue
        stack, metrics = line.rsplit(" ", 1)
        pid, thread, *frames = stack.split(";")
        thread = thread[1:].split(":", 1)[-1]
        yield int(pid[1:]), thread, tuple(map(frame, frames)) or (NO_FRAMES,), metrics, mode


def expected(text):
    sums = collections.Counter()
    for pid, thread, frames, metrics, mode in samples(text):
        values = list(map(int, metrics.split(",")))
        if len(values) == 1 and mode == "memory":
            values = [0, 0, values[0]]
        elif len(values) == 1:
            values = [values[0], 0, 0] if mode != "cpu" else [0, values[0], 0]
        else:
            values[1] = 0 if values[1] else values[0]
        for name, value in zip(["wall", "cpu", "memory"], values):
            sums[name, pid, thread, frames] += value * (1 if name == "memory" else 1000)
    return {key: value for key, value in sums.items() if value}


def text_of(column):
    return f"(select text from string where id = {column})"


def actual(path):
    paths = {0: ()}
    for number, parent, line, function, file in query(path, f"""
            select n.id, n.parent, l.line, {text_of('f.name')} as a, {text_of('f.file')} as b
            from node n join location l on l.id = n.location
            join function f on f.id = l.function order by n.id"""):
        paths[number] = paths[parent or 0] + ((function, file or "", line or 0),)
    sums, parts = collections.Counter(), collections.Counter()
    for name, pid, tid, thread, node, value in query(path, f"""
            select {text_of('m.name')} as a, p.pid, t.tid, {text_of('t.name')} as b, c.node, c.self
            from cost c join metric m on m.id = c.metric join thread t on t.id = c.thread
            join process p on p.id = t.process"""):
        (parts if name in ("allocated", "freed") else sums)[
            name, pid, str(tid if tid is not None else thread), paths[node]] += value
    net = collections.Counter()
    for (name, *rest), value in parts.items():
        net["memory", *rest] += value if name == "allocated" else -value
    if net and any(net[key] != value for key, value in sums.items() if key[0] == "memory"):
        raise ValueError(f"{path}: allocated - freed is not the memory")
    return {key: value for key, value in sums.items() if value}


def compressed(path, sums):
    """The sums of austin-compress; how many paths it has."""
    found = sorted(path.parent.glob(path.name + ".expected-austin-compress.txt*"))
    if not found:
        return 0
    right, mine = collections.Counter(), collections.Counter()
    for pid, thread, frames, value, mode in samples(content(found[0])):
        right[pid, int(thread), frames] += int(value) * (1 if mode == "memory" else 1000)
    first = min(sums)[0] if "wall" not in {key[0] for key in sums} else "wall"
    for (name, pid, thread, frames), value in sums.items():
        if name == first:
            mine[pid, int(thread, 16), frames] += value
    right = {key: value for key, value in right.items() if value}
    if mine != right:
        raise ValueError(f"{path}: not as austin-compress: "
                         f"{list((set(mine.items()) ^ set(right.items())))[:4]}")
    return len(right)


def check(path):
    try:
        right, got = expected(content(path)), actual(path)
        if right != got:
            raise ValueError(f"{path}: {sorted(set(right.items()) ^ set(got.items()))[:2]}")
        also = compressed(path, got)
    except ValueError as error:
        return str(error)
    totals = collections.Counter()
    for key, value in got.items():
        totals[key[0]] += value
    print(f"{path.name}: {len(got)} sums, {dict(totals)}" +
          (f", {also} paths as austin-compress" if also else ""))
    return None


def texts(root):
    """Binary files, their texts, and whether those are of mojo2austin."""
    for path in sorted(root.glob("real/austin/*austin*[0-9].mojo")):
        for tool in "mojodump", "mojo2austin":
            found = sorted(path.parent.glob(f"{path.name}.expected-{tool}.txt*"))
            for text in found:
                yield path, text, tool == "mojo2austin"
    for name in "mp", "repeat":
        path = root / "peers/austin-python/test/data" / name
        yield path.with_suffix(".mojo"), path.with_suffix(".austin"), True


def without_marks(sums):
    result = collections.Counter()
    for (name, pid, thread, frames), value in sums.items():
        frames = tuple(f for f in frames if f not in (("GC", "", 0), ("INVALID", "", 0)))
        result[name, pid, thread, frames or (NO_FRAMES,)] += value
    return {key: value for key, value in result.items() if value}


def check_binary(path, text, less):
    try:
        right, got = expected(content(text)), actual(path)
    except ValueError as error:
        return str(error)
    if less:
        right, got = without_marks(right), without_marks(got)
        names = {key[0] for key in right}
        got = {key: value for key, value in got.items() if key[0] in names}
    if right != got:
        return f"{path}: not as {text.name}: {sorted(set(right.items()) ^ set(got.items()))[:2]}"
    return None


def main():
    root = corpus()
    if not root.is_dir():
        print(f"no corpus at {root}")
        return SKIP
    files = sorted({f for pattern in WHERE for f in root.glob(pattern) if f.name not in OTHER})
    files = [f for f in files if "P" in content(f)]
    wrong = [text for text in map(check, files) if text]
    pairs = list(texts(root))
    wrong += [text for text in (check_binary(*pair) for pair in pairs) if text]
    print(f"{len(files)} files, {len(pairs)} texts of binary files")
    for text in wrong:
        print(text)
    if not files:
        print("the corpus has no text of austin")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
