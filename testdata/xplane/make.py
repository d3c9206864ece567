#!/usr/bin/env python3
"""Writes the fixtures of this folder, but for jax.xplane.pb: recordings of XLA's profiler (XSpace), field
by field.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from protobuf import fixed, number, text, varint  # noqa: E402


class Ref(str):
    """A text that is the name of a stat_metadata."""


class Plane:
    """Numbers its names as they come; metadata is written after the lines, as programs in C++ do."""

    def __init__(self, name, id=0):
        self.head = (number(1, id) if id else b"") + text(2, name)
        self.lines, self.about = b"", b""
        self.events, self.stats, self.shared = {}, {}, {}

    def stat_id(self, name):
        return self.stats.setdefault(name, len(self.stats) + 1)

    def stat(self, name, value):
        if isinstance(value, Ref):
            field = number(7, self.stat_id(str(value)))
        elif isinstance(value, float):
            field = fixed(2, value)
        elif isinstance(value, int):
            field = number(4 if value < 0 else 3, value)
        elif isinstance(value, bytes):
            field = text(6, value)
        else:
            field = text(5, value)
        return number(1, self.stat_id(name)) + field

    def event(self, name, start, duration, display="", shared=(), **stats):
        """start and duration in ps; shared: arguments of all events of the name, as pairs."""
        id = self.events.setdefault(name, len(self.events) + 1)
        if display or shared:
            self.shared[name] = (text(4, display) if display else b"") + b"".join(
                text(5, self.stat(key, value)) for key, value in shared)
        return text(4, number(1, id) + number(2, start) + (number(3, duration) if duration else b"")
                    + b"".join(text(4, self.stat(key, value)) for key, value in stats.items()))

    def line(self, id, name, *events, time=5000, tail=b""):
        self.lines += text(3, number(1, id) + text(2, name) + number(3, time) + b"".join(events) + tail)

    def tell(self, name, value):
        self.about += text(6, self.stat(name, value))

    def bytes(self):
        events = b"".join(
            text(4, number(1, id) + text(2, number(1, id) + text(2, name) + self.shared.get(name, b"")))
            for name, id in self.events.items())
        stats = b"".join(text(5, number(1, id) + text(2, number(1, id) + text(2, name)))
                         for name, id in self.stats.items())
        return text(1, self.head + self.lines + events + stats + self.about)


def environment(start=1795466366859613344):
    plane = Plane("Task Environment")
    plane.tell("profile_start_time", start)
    return plane


def save(name, *planes, tail=b""):
    with open(name, "wb") as file:
        file.write(b"".join(plane.bytes() for plane in planes) + tail)


US = 1000000  # ps


def gpu():
    """Two GPUs; calls of the host that launch; derived lines; steps; a copy on the plane of another GPU."""
    host = Plane("/host:CPU")
    devices = [Plane("/device:GPU:0"), Plane("/device:GPU:1", 1)]
    calls, steps, streams, copies, ops = [], [], [[], []], [], []
    for step in range(2):
        at = step * 100 * US
        steps.append(host.event("train", at, 90 * US, _r=1, step_num=step))
        for gpu in range(2):
            id = 1 + step * 4 + gpu
            begin = at + (10 + 20 * gpu) * US
            module = dict(hlo_module=Ref("jit_step"), program_id=15, tf_op=Ref("XlaModule:"))
            calls.append(host.event("hipModuleLaunchKernel", begin, 5 * US, correlation_id=id, device_id=gpu,
                                    hlo_op=Ref("dot.3"), **module))
            streams[gpu].append(devices[gpu].event(
                "gemm_fusion_dot.3", begin + 8 * US, 30 * US + step * 1500, correlation_id=id,
                kernel_details=Ref("regs:32 static_shared:1024 dynamic_shared:0 grid:64,2,1 block:256,1,1 occ_pct:50"),
                hlo_op=Ref("dot.3"), **module))
            streams[gpu].append(devices[gpu].event(
                "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                begin + 40 * US, 10 * US, correlation_id=id + 100, hlo_op=Ref("all-reduce.1"), **module))
            if gpu == 0:
                ops.append(devices[0].event("dot.3", begin + 8 * US, 42 * US, **module))
        calls.append(host.event("hipMemcpyAsync", at + 60 * US, 2 * US, correlation_id=3 + step * 4))
        copies.append(devices[0].event("MemcpyD2H", at + 62 * US, 4 * US, correlation_id=3 + step * 4,
                                       memcpy_details=Ref("kind:D2H size:655360 dest:0 async:1")))
    # an annotation that begins in one step and ends in the next one
    steps.insert(1, host.event("load", 80 * US, 30 * US))
    host.line(17146292361768781288, "python", *steps, tail=text(11, "python"))
    host.line(7, "Host Threads/7", *calls)
    devices[0].line(1, "Stream #1(Kernel)", *streams[0])
    devices[0].line(8, "Stream #8(MemcpyD2H)", *copies)
    devices[0].line(0xDEADBEEF + 5, "XLA Ops", *ops)
    devices[1].line(1, "Stream #1(Kernel)", *streams[1])
    for plane in devices:
        plane.tell("device_vendor", "AMD")
        plane.tell("core_count", 304)
        plane.tell("clock_rate", 2.1)
    metadata = Plane("/host:metadata")
    metadata.tell("jax_version", "0.10.2")
    save("gpu.xplane.pb", metadata, *devices, host, environment(), tail=text(4, "node-3") + text(3, "lost 2 events"))


def tpu():
    """No streams: "XLA Ops" is the work. Names for display, arguments of metadata, steps with names."""
    device = Plane("/device:TPU:0", 3)
    shared = [("hlo_category", Ref("convolution fusion")), ("flops", 2097152), ("bytes_accessed", 24576),
              ("tf_op", Ref("jit(step)/dot_general:"))]
    ops, steps, modules, waits = [], [], [], []
    for step in range(2):
        at = step * 50 * US
        steps.append(device.event("step", at, 40 * US, step_name=str(step), group_id=step))
        modules.append(device.event("jit_step(15)", at, 38 * US, run_id=100 + step))
        ops.append(device.event("%fusion.1 = bf16[256,64]{1,0} fusion(%p0, %p1)", at + 1 * US, 20 * US + 499,
                                "fusion.1", shared))
        ops.append(device.event("%all-reduce.2 = f32[64]{0} all-reduce(%fusion.1)", at + 22 * US, 15 * US + 500,
                                "all-reduce.2", run_id=100 + step, bytes_accessed=512))
        waits.append(device.event("copy-start.3", at + 2 * US, 30 * US))
    device.line(1, "Steps", *steps)
    device.line(2, "XLA Modules", *modules)
    device.line(3, "XLA Ops", *ops, tail=number(10, 33))
    device.line(4, "Async XLA Ops", *waits)
    host = Plane("/host:CPU")
    host.line(5, "tf_XLATpuClient", host.event("Execute", 0, 60 * US, run_id=100, _pt=4, _p=7),
              host.event("Done", 60 * US, 0, _ct=4, _c=7), host.event("$train.py:41 step", 3 * US, 80 * US))
    save("tpu.xplane.pb", device, host)


def odd():
    """What is broken, missing or unknown inside of a recording that is whole."""
    host = Plane("/host:CPU")
    good = host.event("good", 1 * US, 2 * US)
    one = host.events["good"]
    host.line(1, "events", good,
              text(4, number(1, 99) + number(2, 4 * US)),                     # a number without a name
              text(4, number(1, one) + number(5, 12) + number(3, 9 * US)),    # a sum of 12
              text(4, number(1, one) + number(2, 5 * US) + number(3, -1)),    # negative
              text(4, number(1, one) + number(2, -6 * US) + number(3, 1499)), # before the line begins
              text(4, b"\x08\x01\x10"),                                       # cut off
              text(4, number(1, one) + number(2, 9 * US) + text(4, number(1, 77) + number(3, 1))),
              text(4, number(1, one) + number(2, 9 * US) + text(4, number(1, host.stat_id("lost")) + number(7, 88))),
              host.event("", 10 * US, 0, real=0.1, big=2 ** 64 - 1, bytes=b"\0\1", negative=-5, text='a"b\n'),
              host.event("twice", 11 * US, US, _src="first", ) + b"")
    host.line(2, "late", good, time=2 ** 62)
    host.line(3, "empty")
    host.line(4, "broken", good, tail=b"\x0b")
    host.line(5, "overlap", host.event("a", 0, 10 * US), host.event("b", 5 * US, 10 * US))
    device = Plane("/device:GPU:600", 600)
    device.line(1, "Stream #1", device.event("a", 0, 10 * US), device.event("b", 5 * US, 10 * US))
    save("odd.xplane.pb", host, device, Plane("#Chip-0#"), tail=text(2, "an error") + number(9, 5) + text(12, "later"))


def old():
    """Times that count from 1970, as TensorFlow 2 wrote them; no planes that tell more."""
    host = Plane("/host:CPU")
    epoch = 1600000000123456789
    host.line(9, "python", host.event("$builtins len", 0, 2 * US), host.event("$<unknown> main", 0, 9 * US), time=epoch)
    save("old.xplane.pb", host)


def alike():
    """Events of one name with the same arguments but for numbers, and with others."""
    device, host = Plane("/device:GPU:0"), Plane("/host:CPU")
    shared = [("flops", 4096), ("occupancy", 12)]
    begin, works, calls = 0, [], []

    def work(name, **stats):
        nonlocal begin
        begin += 10 * US
        return device.event(name, begin, 5 * US, "", shared if name == "gemm" else (), **stats)

    for op in ("dot.1", "dot.1", "dot.2", "dot.1"):
        works.append(work("gemm", correlation_id=7 + len(works), hlo_op=Ref(op), program_id=-3 - len(works)))
    for id in (10 ** 18 - 1, 10 ** 18, 2 ** 64 - 1, 5):
        works.append(work("gemm", correlation_id=id, hlo_op=Ref("dot.1"), program_id=-3))
    works += [work("gemm", correlation_id=9, occupancy=share) for share in (50, 60, 0.5, 0.5, 2.0, 2.0, 3.0)]
    works += [work("gemm", correlation_id=9, hlo_op=op) for op in ("text 1", "text 1", "text 2")]
    works += [work("MemcpyD2H", correlation_id=id, memcpy_details=Ref(f"kind:D2H size:{size}"))
              for id, size in ((20, 16), (21, 16), (22, 32), (23, 16))]
    works += [work("MemcpyD2H", correlation_id=id, memcpy_details=f"kind:D2H size:{id}") for id in (24, 25)]
    works += [work("step", step_name=Ref("train"), group_id=id) for id in (1, 2)]
    # a real that is written as an integer, a copy without a size, and an integer that is the same in the first event only
    works += [work("copy", load=5.0, memcpy_details=Ref("kind:H2D"), n=n) for n in (5, 9, 11)]
    works += [work("wait", n=n) for n in (10 ** 18, 5)]
    device.line(1, "Stream #1", *works)
    twice = text(4, host.stat("_src", Ref("a.cc"))) + text(4, host.stat("id", 1)) + text(4, host.stat("_src", Ref("b.cc")))
    for id in (1, 2, 3):
        calls.append(host.event("Launch", id * US, US, _pt=1, _p=id, args=id))
        calls.append(host.event("Run", id * US + 20 * US, US, _ct=1, _c=id))
        calls.append(host.event("Enqueue", id * US + 30 * US, US, correlation_id=6 + id))
    calls += [text(4, number(1, host.events["Run"]) + number(2, at * US) + twice) for at in (40, 41)]
    calls += [host.event("Run", at * US, US, module=Ref("jit_step")) for at in (50, 51)]
    host.line(2, "python", *calls)
    save("alike.xplane.pb", device, host)


gpu()
tpu()
odd()
old()
alike()
with open("gpu.xplane.pb", "rb") as file:
    whole = file.read()
with open("bad/cut.xplane.pb", "wb") as file:
    file.write(whole[:40])
with open("bad/mangled.xplane.pb", "wb") as file:
    file.write(whole.replace(b"\x80", b"\xef\xbf\xbd", 1).replace(b"\xbd", b"\xef\xbf\xbd", 1))
with open("bad/group.xplane.pb", "wb") as file:
    file.write(text(1, text(2, "/host:CPU") + b"\x1b") + b"")
