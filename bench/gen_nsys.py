#!/usr/bin/env python3
"""Writes an export of Nsight Systems of any size, for measurements: the same rows for the same options.

    gen_nsys.py ROWS FILE

Half of the rows are calls of CUDA, half the kernels that they launch, on two streams of one GPU.
"""
import sqlite3
import sys

RUNTIME = "start end eventClass globalTid correlationId nameId returnValue callchainId"
KERNEL = """start end deviceId contextId greenContextId streamId correlationId globalPid demangledName shortName mangledName
    launchType cacheConfig registersPerThread gridX gridY gridZ blockX blockY blockZ staticSharedMemory dynamicSharedMemory
    localMemoryPerThread localMemoryTotal gridId sharedMemoryExecuted graphNodeId"""
PROCESS = 1 << 48 | 1000 << 24
CALLS, NAMES = 10, 200
STEP = 10_000  # ns


def table(db, name, columns, rows):
    columns = columns.split()
    db.execute(f"CREATE TABLE {name} (" + ", ".join(f'"{c}" INTEGER' for c in columns) + ")")
    db.executemany(f"INSERT INTO {name} VALUES (" + ", ".join("?" * len(columns)) + ")", rows)


def call(i):
    return i * STEP, i * STEP + 4000, 0, PROCESS | 1000, i + 1, i % CALLS, 0, None


def kernel(i):
    name = CALLS + i % (NAMES - CALLS)
    return (i * STEP + 5000, i * STEP + (9000 if i % 3 == 0 else 12000), 0, 1, 0, 7 + i % 2 * 6, i + 1, PROCESS, name, name, name, 1, 0,
            32 + i % 4, 1 + i % 50, 1, 1, 128, 1, 1, 0, 1024 * (i % 3), 0, 250_000_000, 1000 + i, 16384, None)


def main():
    rows, path = int(sys.argv[1]), sys.argv[2]
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
    db.executemany("INSERT INTO StringIds VALUES (?, ?)",
                   [(i, f"cudaCall{i}_v7000" if i < CALLS else f"void kernel_{i}<float>(float *, int)") for i in range(NAMES)])
    table(db, "META_DATA_EXPORT", "name value", [])
    table(db, "CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, map(call, range(rows // 2)))
    table(db, "CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, map(kernel, range(rows // 2)))
    db.commit()


main()
