#!/usr/bin/env python3
"""Makes the fixtures beside it: SQLite databases with the tables and columns that exports of Nsight Systems have (its
documentation of "Exported data"; names of columns as in exports of 2022.2, 2024.5 and 2026.2)."""
import os
import sqlite3

HERE = os.path.dirname(os.path.abspath(__file__))
HOST = 1 << 48
WORKER, SERVER = HOST | 1000 << 24, HOST | 2000 << 24
KERNEL = """start end deviceId contextId greenContextId streamId correlationId globalPid demangledName shortName mangledName
    launchType registersPerThread gridX gridY gridZ blockX blockY blockZ staticSharedMemory dynamicSharedMemory graphNodeId"""
RUNTIME = "start end eventClass globalTid correlationId nameId returnValue callchainId"
MEMCPY = "start end deviceId contextId streamId correlationId globalPid bytes copyKind srcKind dstKind copyCount"
MEMSET = "start end deviceId contextId streamId correlationId globalPid value bytes memKind"
GRAPH = "start end deviceId contextId streamId correlationId globalPid graphId"
NVTX = "start end eventType text globalTid endGlobalTid textId domainId"
OSRT = "start end eventClass globalTid nameId returnValue nestingLevel callchainId"


class Export:
    def __init__(self, name, meta="META_DATA_EXPORT"):
        path = os.path.join(HERE, name + ".sqlite")
        if os.path.exists(path):
            os.remove(path)
        self.db = sqlite3.connect(path)
        self.db.execute("PRAGMA page_size = 512")
        self.strings = []
        self.db.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
        if meta:
            self.table(meta, "name value", [])

    def id(self, text):
        if text not in self.strings:
            self.strings.append(text)
            self.db.execute("INSERT INTO StringIds VALUES (?, ?)", (len(self.strings) - 1, text))
        return self.strings.index(text)

    def table(self, name, columns, rows):
        columns = columns.split()
        self.db.execute(f"CREATE TABLE IF NOT EXISTS {name} (" + ", ".join(f'"{c}"' for c in columns) + ")")
        marks = ", ".join("?" * len(columns))
        self.db.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)

    def close(self):
        self.db.commit()
        self.db.execute("VACUUM")
        self.db.close()


def kernel(e, start, end, device, correlation, process, name="gemm", stream=7, node=None):
    return (start, end, device, 1, 0, stream, correlation, process, e.id(f"void {name}<float>(float *, int)"), e.id(name),
            e.id(f"_Z4{name}IfEvPfi"), 1, 32, 18, 4, 1, 128, 1, 1, 1024, 512, node)


def call(e, start, end, thread, correlation, name, kind=0):
    return start, end, kind, thread, correlation, e.id(name), 0, None


def two_gpus():
    e = Export("two-gpus")
    e.table("META_DATA_EXPORT", "name value", [("EXPORT_PRODUCT_VERSION", "2026.2.1.210"), ("EXPORT_SCHEMA_VERSION", "3.25.0"),
                                               ("EXPORT_USER", "not to be read")])
    e.table("TARGET_INFO_SESSION_START_TIME", "utcEpochNs utcTime localTime", [(1_700_000_000_000_000_000, "", "")])
    e.table("TARGET_INFO_SYSTEM_ENV", "globalVid devStateName name nameEnum value", [(1, "Device", "DeviceEnvironment", 1, "SECRET=1")])
    e.table("PROCESSES", "globalPid pid name", [(WORKER, 1000, "python3"), (SERVER, 2000, "python3"), (HOST | 3 << 24, 3, "idle")])
    e.table("ThreadNames", "nameId priority globalTid", [(e.id("main"), 20, WORKER | 1000), (e.id("backward"), 20, WORKER | 1001),
                                                         (e.id("main"), 20, SERVER | 2000), (e.id("unused"), 20, HOST | 3 << 24 | 4)])
    main, backward, server = WORKER | 1000, WORKER | 1001, SERVER | 2000
    e.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, [
        call(e, 1100, 1200, main, 11, "cudaLaunchKernel_v7000"),
        call(e, 1120, 1180, main, 12, "cuLaunchKernel", 1),
        call(e, 1300, 1400, main, 13, "cudaMemcpyAsync_v3020"),
        call(e, 1450, 1500, main, 14, "cudaMemsetAsync_v3020"),
        call(e, 1600, 1700, main, 15, "cudaGraphLaunch_v10000"),
        call(e, 1700, 1780, backward, 16, "cudaLaunchKernel_v7000"),
        call(e, 1800, 2900, main, 17, "cudaStreamSynchronize_v3020"),
        # the second process begins its correlation ids anew
        call(e, 1100, 1150, server, 11, "cudaLaunchKernel_v7000"),
        call(e, 1200, 1250, server, 12, "cudaLaunchKernel_v7000"),
    ])
    e.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [
        kernel(e, 900, 1000, 0, 3, WORKER),  # launched before the recording
        kernel(e, 1250, 1650, 0, 11, WORKER),
        kernel(e, 1750, 1800, 0, 15, WORKER, "reduce", node=5),  # a graph: one launch, two kernels
        kernel(e, 1800, 1900, 0, 15, WORKER, "gemm", node=6),
        kernel(e, 1950, 2050, 0, 16, WORKER, "reduce"),
        kernel(e, 2000, 2100, 0, 16, WORKER, "gemm"),  # overlaps the one before it on its stream
        kernel(e, 1250, 1350, 1, 11, SERVER),
        kernel(e, 1300, 1400, 0, 12, SERVER, "ncclDevKernel_AllReduce"),  # the first stream of another process
    ])
    e.table("CUPTI_ACTIVITY_KIND_MEMCPY", MEMCPY, [
        (1660, 1700, 0, 1, 7, 13, WORKER, 4096, 1, 1, 2, 1), (1700, 1720, 0, 1, 13, None, WORKER, 64, 8, 2, 2, 1),
        (2200, 2300, 0, 1, 7, 17, WORKER, 65536, 12, 4, 2, 1), (2300, 2310, 0, 1, 7, 17, WORKER, 8, 99, None, None, 1)])
    e.table("CUPTI_ACTIVITY_KIND_MEMSET", MEMSET, [(1720, 1730, 0, 1, 7, 14, WORKER, 0, 256, 2)])
    e.table("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", GRAPH, [(2400, 2500, 0, 1, 7, 17, WORKER, 42)])
    e.table("NVTX_EVENTS", NVTX, [
        (0, None, 75, "loader", main, None, None, 3),
        (1000, 2950, 59, "step 1", main, None, None, 0),
        (1050, 1250, 59, "aten::mm, seq = 7, op_id = 21", main, None, None, 0),
        (1280, 1420, 59, "aten::copy_, op_id = 22", main, None, None, 0),
        (1690, 1790, 59, None, backward, None, e.id("backward pass"), 0),
        (1000, 1500, 60, "prefetch", main, main, None, 3),  # two ranges that overlap
        (1200, 1900, 60, "prefetch", main, backward, None, 3),
        (1350, None, 34, "epoch", main, None, None, 0),
        (2960, None, 59, "never popped", main, None, None, 0),
        (0, None, 33, "category", main, None, None, 0),
    ])
    e.table("OSRT_API", OSRT, [(1820, 1820, 31, main, e.id("poll"), 0, 0, 0), (1820, 2880, 27, main, e.id("poll"), 0, 0, 0),
                               (2970, 2980, 27, main, e.id("write"), 0, 0, 0)])
    e.close()


def samples():
    """Samples of processors beside calls; tables of events that are not read."""
    e = Export("samples")
    main, other = WORKER | 1000, WORKER | 1001
    e.table("TARGET_INFO_GPU", "vmId id name cuDevice", [(1, 0, "NVIDIA Example GPU", 0)])
    e.table("OSRT_API", OSRT, [(1000, 3000, 27, main, e.id("read"), 0, 0, 0)])
    e.table("COMPOSITE_EVENTS", "id start cpu threadState globalTid cpuCycles",
            [(1, 900, 0, 1, main, 1), (2, 3100, 0, 1, main, 1), (3, 950, 1, 1, other, 1), (4, 960, 1, 1, other, 1),
             (5, None, 1, 1, other, 1)])
    frames = {1: ["parse", "main"], 2: ["clear_page", "parse", "main"], 3: ["parse", "main"]}
    modules = {"clear_page": "[kernel.kallsyms]"}
    e.table("SAMPLING_CALLCHAINS", "id symbol module kernelMode unresolved originalIP stackDepth",
            [(i, e.id(f), e.id(modules.get(f, "/usr/bin/app")), int(f in modules), None, 0, depth)
             for i, stack in frames.items() for depth, f in enumerate(stack)])
    e.table("SCHED_EVENTS", "start cpu isSchedIn globalTid", [(800, 0, 1, main), (3200, 0, 0, main)])
    e.close()


def gpu_metrics():
    """Metrics of two GPUs that were sampled; values before the session, without a name, and that are none."""
    e = Export("gpu-metrics")
    e.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [kernel(e, 1000, 3000, 0, 1, WORKER)])
    first, second, other = 0x01000000000000, 0x01000000000001, 0x02000000000001
    e.table("TARGET_INFO_GPU_METRICS", "typeId sourceId typeName metricId metricName",
            [(t, 1, "GA100", 1, "SMs Active [Throughput %]") for t in (first, second, other)] + [(second, 1, "GA100", 2, "DRAM Read [Throughput %]")])
    e.table("GPU_METRICS", "timestamp typeId metricId value",
            [(-100, first, 1, 5), (500, first, 1, 0), (500, second, 1, 3), (1500, first, 1, 97), (1500, second, 1, 4), (1500, second, 2, 41),
             (1500, first, 2, 9), (None, first, 1, 9), (2500, first, 1, None), (2500, second, 2, 0.5), (2600, other, 1, 7)])
    e.close()


def old():
    """Of 2022: the table of versions has another name, all tables exist, users added columns of their own."""
    e = Export("old", "EXPORT_META_DATA")
    e.table("EXPORT_META_DATA", "name value", [("EXPORT_PRODUCT_VERSION", "2022.2.1.31"), ("EXPORT_SCHEMA_VERSION", "2.9.1"),
                                               ("EXPORT_OUTUPT_FILE", "not to be read")])
    e.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME + " name", [(*call(e, 100, 200, WORKER | 1000, 1, "cudaLaunchKernel_v7000"), "added")])
    e.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL.replace(" greenContextId", ""),
            [tuple(v for i, v in enumerate(kernel(e, 250, 300, 0, 1, WORKER)) if i != 4)])
    e.table("CUPTI_ACTIVITY_KIND_MEMCPY", MEMCPY + " name", [])
    for name in ("NVTX_EVENTS", "OSRT_API", "SCHED_EVENTS"):
        e.table(name, {"NVTX_EVENTS": NVTX, "OSRT_API": OSRT}.get(name, "start cpu isSchedIn globalTid"), [])
    e.close()


def few_columns():
    """What other tools make: no process, few columns."""
    e = Export("few-columns")
    e.table("CUPTI_ACTIVITY_KIND_KERNEL", "start end deviceId streamId correlationId shortName",
            [(50, 70, 0, 7, 1, e.id("gemm")), (70, 90, 0, 7, 2, e.id("gemm"))])
    e.table("CUPTI_ACTIVITY_KIND_RUNTIME", "start end correlationId globalTid nameId",
            [(10, 20, 1, WORKER | 1000, e.id("cudaLaunchKernel")), (20, 30, 2, WORKER | 1000, e.id("cudaLaunchKernel"))])
    e.table("CUPTI_ACTIVITY_KIND_MEMCPY", "start end deviceId streamId correlationId copyKind bytes", [(90, 95, 0, 7, 3, 2, 64)])
    e.close()


def odd():
    e = Export("bad/odd")
    main = WORKER | 1000
    e.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, [
        call(e, 100, 90, main, 1, "ends before it begins"), call(e, None, 90, main, 1, "no start"),
        call(e, 100, "late", main, 1, "no end"), call(e, 1 << 62, (1 << 62) + 1, main, 1, "far away"),
        (100, 200, 0, None, -5, 99, 0, None), call(e, 300, 400, -1, 1 << 40, "odd thread and correlation")])
    e.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [kernel(e, 500, 600, None, 1, None, stream=None), kernel(e, 500, 600, -3, 1, -1, stream=1 << 60)])
    e.table("NVTX_EVENTS", NVTX, [(10, None, 59, None, main, None, None, -1), (20, 30, 12345, "unknown", main, None, None, 0)])
    e.close()
    e = Export("bad/view")
    e.db.execute("CREATE VIEW NVTX_EVENTS AS SELECT 1 AS start, 2 AS \"end\", 59 AS eventType")
    e.db.execute("DROP TABLE StringIds")
    e.db.execute("CREATE VIEW StringIds AS SELECT 1 AS id, 'x' AS value")
    e.close()


def long_domain():
    """The name of a domain is longer than all texts, and its ranges are many."""
    e = Export("bad/long-domain")
    main = WORKER | 1000
    e.table("NVTX_EVENTS", NVTX, [(0, None, 75, "domain" * 400, main, None, None, 3)] +
            [(i, i + 1, 59, f"range {i % 12}", main, None, None, 3) for i in range(100, 140)])
    e.close()


def one_number():
    """Processes of two hosts, and a device and a process, that have one number."""
    e = Export("one-number")
    first, second, third = HOST | 7 << 24, HOST << 1 | 7 << 24, HOST | 1 << 24
    e.table("PROCESSES", "globalPid pid name", [(first, 7, "server"), (second, 7, "server")])
    e.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, [call(e, 10, 20, first | 7, 1, "cudaLaunchKernel_v7000"),
                                                     call(e, 15, 30, second | 7, 1, "cudaLaunchKernel_v7000")])
    e.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [kernel(e, 20, 30, 1, 1, first), kernel(e, 40, 50, 7, 1, second)])
    e.table("COMPOSITE_EVENTS", "id start cpu threadState globalTid cpuCycles", [(1, 25, 0, 1, third | 1, 1)])
    e.close()


two_gpus()
samples()
gpu_metrics()
old()
few_columns()
odd()
long_domain()
one_number()
