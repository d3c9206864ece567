#!/usr/bin/env python3
"""Writes the fixtures that are no recordings, field by field; see SOURCE."""
import gzip
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from protobuf import number, packed, text, varint  # noqa: E402


def field(number_of, value):
    return number(number_of, value) if isinstance(value, int) else text(number_of, value)


def message(**fields):
    """f3=5: a number, f3=b"...": bytes, f3=[1, 2]: packed."""
    out = b""
    for name, value in fields.items():
        out += packed(int(name[1:]), value) if isinstance(value, list) else field(int(name[1:]), value)
    return out


class Profile:
    def __init__(self, types, texts=("",)):
        self.texts, self.out = list(texts), b""
        for name, unit in types:
            self.add(1, f1=self.text(name), f2=self.text(unit))

    def text(self, text):
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def add(self, number, **fields):
        self.out += field(number, message(**fields))

    def sample(self, stack, values, *labels):
        self.out += field(2, message(f1=stack, f2=values) + b"".join(field(3, label) for label in labels))

    def label(self, key, value, unit=None):
        if isinstance(value, str):
            return message(f1=self.text(key), f2=self.text(value))
        return message(f1=self.text(key), f3=value, f4=self.text(unit or ""))

    def function(self, number, name, system_name="", file="", line=0):
        self.add(5, f1=number, f2=self.text(name), f3=self.text(system_name or name), f4=self.text(file), f5=line)

    def location(self, number, *lines, mapping=0, address=0, more=b""):
        body = message(f1=number, f2=mapping, f3=address) + more
        for line in lines:
            body += field(4, message(**dict(zip(["f1", "f2", "f3"], line))))
        self.out += field(4, body)

    def mapping(self, number, start, limit, offset, file, build_id="", symbols=()):
        self.add(3, f1=number, f2=start, f3=limit, f4=offset, f5=self.text(file), f6=self.text(build_id),
                 **{f"f{i}": 1 for i in symbols})

    def bytes(self):
        return self.out + b"".join(field(6, text.encode() if isinstance(text, str) else text) for text in self.texts)


def write(name, data):
    if name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    (HERE / name).write_bytes(data)


def everything():
    p = Profile([("samples", "count"), ("cpu", "nanoseconds")])
    p.mapping(1, 0x400000, 0x480000, 0x1000, "/srv/app/demo", "9d2c8921ab98", [7, 8, 9, 10])
    p.mapping(2, 0x7F0000000000, 0x7F0000010000, 0, "/usr/lib/libc.so.6", "c0ffee")
    p.mapping(3, 0xFFFFFFFF80000000, 0xFFFFFFFFC0000000, 0, "[kernel.kallsyms]_text")
    p.function(1, "main", file="/srv/app/main.c", line=3)
    p.function(2, "demo::work(int)", "_ZN4demo4workEi", "/srv/app/work.cc", 10)
    p.function(3, "demo::inner", "_ZN4demo5innerEv", "/srv/app/work.cc", 30)
    p.function(4, "do_sleep")
    p.function(5, "interpreted", file="/srv/app/script.py", line=1)
    p.function(700000000000, "far")
    p.location(1, (1, 5, 2), mapping=1, address=0x401000)
    p.location(2, (3, 31, 7), (2, 12, 4), mapping=1, address=0x402000)
    p.location(3, mapping=2, address=0x7F0000001234)
    p.location(4, (4,), mapping=3, address=0xFFFFFFFF80001000)
    p.location(5, (5, 8))
    p.location(1 << 40, (700000000000, 2), more=field(5, 1))
    p.location(7, address=0xFFFFFFFFFFFFFFFF)
    io, thread = p.label("kind", "io"), p.label("thread_id", 7)
    p.sample([2, 1], [1, 10000000], io, thread)
    p.sample([2, 1], [2, 20000000], thread, io)
    p.sample([3, 2, 1], [1, 10000000], p.label("kind", "größe"), p.label("bytes", 4096, "bytes"), p.label("bytes", 8192, "bytes"))
    p.sample([4, 3, 2, 1], [1, -10000000], p.label("pid", "12"), p.label("thread", "worker 1"), p.label("thread_id", 8))
    p.out += field(2, field(1, 1 << 40) + field(1, 1) + field(2, 4) + field(2, 40000000))
    p.sample([5, 5, 5, 1], [1, 10000000])
    p.sample([7, 7], [1, 10000000])
    p.sample([], [3, 30000000])
    p.sample([1], [0, 0])
    p.out += field(9, 1700000000123456789) + field(10, 1500000000)
    p.add(11, f1=p.text("cpu"), f2=p.text("nanoseconds"))
    p.out += field(12, 10000000)
    p.out += packed(13, [p.text("made by hand"), p.text("# not shown")])
    p.out += field(15, p.text("https://example.com/doc")) + field(99, b"unknown") + varint(98 << 3 | 5) + b"abcd"
    return p.bytes()


def frames():
    """drop_frames: not at the root, not if kept; a part of a location; the whole."""
    p = Profile([("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"),
                 ("inuse_space", "bytes")])
    for i, name in enumerate(["main", "user", "operator new(unsigned long)", "malloc", "malloc_kept", "root.malloc"], 1):
        p.function(i, name)
        p.location(i, (i, i))
    p.location(7, (4, 1), (3, 2), (2, 3))
    p.location(8, (4, 1), (4, 2))
    p.sample([4, 3, 2, 1], [1, 100, 1, 100])
    p.sample([4, 5, 1], [1, 50, 0, 0])
    p.sample([7, 1], [2, 20, 1, 10])
    p.sample([8, 2], [1, 7, 1, 7])
    p.sample([2, 4], [1, 5, 1, 5])
    p.add(11, f1=p.text("space"), f2=p.text("bytes"))
    p.out += field(12, 524288) + field(7, p.text("operator new|malloc.*")) + field(8, p.text("malloc_kept"))
    p.out += field(14, p.text("alloc_space"))
    return p.bytes()


def units():
    p = Profile([("wall", "microseconds"), ("sizes", "kilobytes"), ("", "widgets"), ("plain", ""), ("wait", "seconds")])
    p.function(1, "main")
    p.location(1, (1,))
    p.sample([1], [5, 3, 2, 7, 9])
    p.sample([1], [1, -1, 1, 1, 1 << 62])
    p.add(11, f1=p.text("wall"), f2=p.text("microseconds"))
    p.out += field(12, 100)
    return p.bytes()


def bare():
    """A type without a name, a program without one, addresses without functions, inlined functions, numbers as labels."""
    p = Profile([("", "")])
    p.mapping(1, 0, 0, 0, "")
    p.mapping(2, 0x1000, 0x9000, 0, "/usr/lib/libwork.so")
    for i, name in enumerate(["main", "outer", "inner", "leaf", "start"], 1):
        p.function(i, name, file=f"{name}.c")
    p.location(1, (5, 9), mapping=1)
    p.location(2, (3, 2), (2, 5), (1, 7), mapping=2, address=0x1100)
    p.location(3, mapping=2, address=0x1200)
    p.location(4, mapping=1)
    p.location(5, (4, 3), mapping=2, address=0x1300)
    p.sample([2, 1], [7], p.label("bytes", 32768, "bytes"), p.label("kind", "io"))
    p.sample([5, 2, 1], [20], p.label("bytes", 65536, "bytes"))
    p.sample([3, 5, 1], [5], p.label("bytes", 12, "bytes"), p.label("kind", "cpu"))
    p.sample([4, 2], [3], p.label("wait", 3, "milliseconds"))
    p.sample([4], [1])
    return p.bytes()


def micro():
    """Units that are others here; a function without a name in a file that is known; names of types with blanks."""
    p = Profile([("Wall time", "microseconds"), ("sizes", "kB"), ("b b", "B")])
    p.function(1, "main", file="main.py")
    p.add(5, f1=2, f4=p.text("lost.py"))
    p.location(1, (1, 3))
    p.location(2, (2, 4))
    p.sample([2, 1], [1500, 3, 7])
    p.sample([1], [-2, 1, 0])
    p.add(11, f1=p.text("Wall time"), f2=p.text("microseconds"))
    p.out += field(12, 100) + field(14, p.text("sizes"))
    return p.bytes()


def odd():
    p = Profile([("samples", "count"), ("samples", "count")], ["first", ""])
    p.mapping(0, 1, 2, 3, "no id")
    p.mapping(1, 16, 32, 0, "demo")
    p.mapping(1, 16, 32, 0, "again")
    p.function(1, "main")
    p.function(1, "main again")
    p.function(0, "no id")
    p.add(5, f1=2, f2=1000)
    p.add(5, f1=3, f2=p.text("lines"), f5=-5)
    p.location(1, (1, -1))
    p.location(1, (1, 2))
    p.location(0, (1, 3))
    p.location(2, (9, 4), mapping=1, address=17)
    p.location(3, (0, 4), mapping=8)
    p.location(4, (2,), (3,))
    p.sample([1, 99], [1, 1])
    p.sample([2], [1])
    p.sample([3, 1], [1, 2, 3])
    p.sample([4, 1], [1, 1], p.label("zero", 0), message(f1=5000, f2=p.text("x")))
    p.out += field(7, p.text("(("))
    return p.bytes().replace(b"2\x00", b"2\x02\xff\xfe", 1)


def main():
    (HERE / "bad").mkdir(exist_ok=True)
    p = Profile([("samples", "count")])
    p.function(1, "main")
    p.location(1, (1,))
    p.sample([1], [1])
    small = p.bytes()
    write("everything.pb.gz", everything())
    write("frames.pb", frames())
    write("units.pprof", units())
    write("bare.pb", bare())
    write("micro.pb", micro())
    write("odd.pb", odd())
    write("empty.pb", Profile([("samples", "count")]).bytes())
    write("bad/cut.pb", small[:-3])
    write("bad/group.pb", small + b"\x0b\x0c")
    write("bad/long-number.pb", small + varint(12 << 3) + b"\x80" * 10 + b"\x01")
    write("bad/no-types.pb", small[small.index(b"*"):] + field(2, message(f1=[1], f2=[1])))
    write("bad/other-type.pb", small + varint(2 << 3) + b"\x01")
    write("bad/long-list.pb", small + field(2, field(1, b"\x01\x82")))
    write("bad/twice.pb", small + field(9, 1) + small + field(9, 2))


main()
