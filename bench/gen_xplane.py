#!/usr/bin/env python3
"""Writes a recording of XLA (xplane.pb) of about so many MB, for measurements: a GPU with four streams, whose kernels have the
arguments that XLA gives them, and a thread of the host with spans in spans.

    gen_xplane.py 100 trace.xplane.pb
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "testdata"))
from protobuf import number, text as message  # noqa: E402

KERNELS = 300


def named(field, ids, name):
    return b"".join(message(field, number(1, i) + message(2, number(1, i) + message(2, name(i).encode()))) for i in ids)


def device(events):
    stats = ["correlation_id", "hlo_op", "hlo_module", "kernel_details"]
    texts = {100 + i: f"fusion.{i}" for i in range(KERNELS)} | {99: "jit_train_step"}
    lines = []
    for stream in range(4):
        body = []
        for i in range(events // 4):
            kernel = i * 7 % KERNELS
            arguments = message(4, number(1, 1) + number(3, 4 * i + stream)) + message(4, number(1, 2) + number(7, 100 + kernel)) + \
                message(4, number(1, 3) + number(7, 99))
            event = number(1, kernel + 1) + number(2, i * 20_000_000) + number(3, 5_000_000 + kernel * 1000) + arguments
            body.append(message(4, event))
        lines.append(message(3, number(1, stream + 1) + message(2, f"Stream #{stream + 14}(Compute)".encode()) +
                             number(3, 1_700_000_000_000_000_000) + b"".join(body)))
    return number(1, 1) + message(2, b"/device:GPU:0") + b"".join(lines) + \
        named(4, range(1, KERNELS + 1), lambda i: f"loop_fusion_{i}") + \
        named(5, range(1, 5), lambda i: stats[i - 1]) + named(5, texts, lambda i: texts[i])


def host(events):
    body = []
    for i in range(events // 2):
        body.append(message(4, number(1, i % 50 + 1) + number(2, i * 20_000_000) + number(3, 18_000_000)))
        body.append(message(4, number(1, 60) + number(2, i * 20_000_000 + 1_000_000) + number(3, 9_000_000)))
    return number(1, 2) + message(2, b"/host:CPU") + \
        message(3, number(1, 1) + message(2, b"python") + number(3, 1_700_000_000_000_000_000) + b"".join(body)) + \
        named(4, range(1, 61), lambda i: f"PjitFunction({i})")


def main():
    events = int(float(sys.argv[1]) * 1e6 / 30)
    with open(sys.argv[2], "wb") as file:
        file.write(message(1, device(events * 2 // 3)) + message(1, host(events // 3)))


main()
