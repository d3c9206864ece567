#!/usr/bin/env python3
"""Makes the fixtures beside it: SQLite databases with the tables and columns of rocpd, schema 3 (rocprofiler-sdk, rocpd_tables.sql)."""
import json
import os
import sqlite3

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = {
    "metadata": "tag value", "string": "guid string", "info_node": "guid hash machine_id hostname",
    "info_process": "guid nid ppid pid init fini start end command environment extdata",
    "info_thread": "guid nid ppid pid tid name start end extdata",
    "info_agent": "guid nid pid type absolute_index logical_index type_index uuid name model_name vendor_name product_name user_name extdata",
    "info_kernel_symbol": "guid nid pid code_object_id kernel_name display_name kernel_object group_segment_size private_segment_size",
    "info_pmc": "guid nid pid agent_id target_arch name symbol units", "track": "guid nid pid tid name_id extdata",
    "event": "guid category_id stack_id parent_stack_id correlation_id call_stack line_info extdata",
    "pmc_event": "guid event_id pmc_id value", "region": "guid nid pid tid start end name_id event_id extdata",
    "sample": "guid track_id timestamp event_id extdata",
    "kernel_dispatch": """guid nid pid tid agent_id kernel_id dispatch_id queue_id stream_id start end private_segment_size
        group_segment_size workgroup_size_x workgroup_size_y workgroup_size_z grid_size_x grid_size_y grid_size_z region_name_id
        event_id extdata""",
    "memory_allocate": "guid nid pid tid agent_id type level start end address size event_id",
    "memory_copy": """guid nid pid tid start end name_id dst_agent_id dst_address src_agent_id src_address size queue_id stream_id
        region_name_id event_id extdata""",
}


class Database:
    def __init__(self, name):
        path = os.path.join(HERE, name + ".db")
        if os.path.exists(path):
            os.remove(path)
        self.db = sqlite3.connect(path)
        self.db.execute("PRAGMA page_size = 512")

    def close(self):
        self.db.commit()
        self.db.execute("VACUUM")
        self.db.close()


class Recording:
    """Tables of one recording."""

    def __init__(self, database, guid, host=1):
        self.db, self.guid = database.db, guid
        for table, columns in TABLES.items():
            columns = ", ".join(f'"{c}"' for c in columns.split())
            self.db.execute(f'CREATE TABLE "rocpd_{table}_{guid}" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, {columns})')
        self.strings = {}
        self.add("metadata", tag="schema_version", value="3")
        self.add("info_node", hash=1000 + host, machine_id=f"machine {host}", hostname="not to be read")

    def add(self, table, **values):
        if "guid" in TABLES[table]:
            values["guid"] = self.guid
        names = ", ".join(f'"{name}"' for name in values)
        sql = f'INSERT INTO "rocpd_{table}_{self.guid}" ({names}) VALUES ({", ".join("?" * len(values))})'
        return self.db.execute(sql, list(values.values())).lastrowid

    def id(self, text):
        if text not in self.strings:
            self.strings[text] = self.add("string", string=text)
        return self.strings[text]

    def event(self, category, stack=None, **extdata):
        return self.add("event", category_id=self.id(category), stack_id=stack, parent_stack_id=0, correlation_id=0, call_stack="{}",
                        line_info="{}", extdata=json.dumps(extdata))

    def process(self, pid, command):
        return self.add("info_process", nid=1, pid=pid, command=command, environment='{"SECRET": "1"}', extdata="{}")

    def thread(self, process, tid, name=None):
        return self.add("info_thread", nid=1, pid=process, tid=tid, name=name, extdata="{}")

    def gpu(self, index, product="AMD Example GPU"):
        return self.add("info_agent", nid=1, pid=1, type="GPU", absolute_index=index + 1, logical_index=index + 1, type_index=index,
                        name="gfx942", product_name=product)

    def symbol(self, name, mangled):
        return self.add("info_kernel_symbol", nid=1, pid=1, code_object_id=1, kernel_name=mangled, display_name=name)

    def region(self, start, end, thread, name, category="HIP_RUNTIME_API_EXT", stack=None, **extdata):
        return self.add("region", nid=1, pid=1, tid=thread, start=start, end=end, name_id=self.id(name),
                        event_id=self.event(category, stack, **extdata), extdata="{}")

    def kernel(self, start, end, agent, kernel, stack, stream=1, process=1, queue=1):
        event = self.event("KERNEL_DISPATCH", stack)
        self.add("kernel_dispatch", nid=1, pid=process, tid=1, agent_id=agent, kernel_id=kernel, dispatch_id=1, queue_id=queue,
                 stream_id=stream, start=start, end=end, private_segment_size=0, group_segment_size=512, workgroup_size_x=256,
                 workgroup_size_y=1, workgroup_size_z=1, grid_size_x=1000, grid_size_y=2, grid_size_z=1, event_id=event, extdata="{}")
        return event

    def copy(self, start, end, name, target, source, size, stack, stream=1):
        self.add("memory_copy", nid=1, pid=1, tid=1, start=start, end=end, name_id=self.id(name), dst_agent_id=target,
                 src_agent_id=source, size=size, queue_id=1, stream_id=stream, event_id=self.event("MEMORY_COPY", stack), extdata="{}")


def two_gpus():
    d = Database("two-gpus")
    r = Recording(d, "5f00c3")
    process = r.process(4711, "/home/user/bin/app --secret 1")
    main, other = r.thread(process, 4711, "main"), r.thread(process, 4712)
    cpu = r.add("info_agent", nid=1, pid=1, type="CPU", absolute_index=0, logical_index=0, type_index=0, name="CPU")
    first, second = r.gpu(0), r.gpu(1, "")
    gemm = r.symbol("void gemm<float>(float*, int)", "_Z4gemmIfEvPfi.kd")
    reduce = r.symbol("", "reduce.kd")
    r.region(1000, 3000, main, "roctxThreadRangeA", "MARKER_CORE_RANGE_API", 90, message="step \"1\"")
    r.region(1000, 1500, main, "roctxProcessRangeA", "MARKER_CORE_RANGE_API", 91, message="prefetch")
    r.region(1200, 1900, main, "roctxProcessRangeA", "MARKER_CORE_RANGE_API", 92, message="prefetch")  # overlaps the one before
    r.region(1350, 1350, main, "roctxMarkA", "MARKER_CORE_API", 93, message="epoch")
    r.region(1100, 1200, main, "hipLaunchKernel", stack=11)
    r.region(1120, 1180, main, "hsa_signal_store_screlease", "HSA_CORE_API", 12)
    r.region(1300, 1400, main, "hipMemcpyAsync", stack=13)
    r.region(1700, 1780, other, "hipLaunchKernel", stack=16)
    r.region(1800, 2900, main, "hipStreamSynchronize", stack=17)
    r.region(2100, 2200, other, "ncclAllReduce", "RCCL_API", 18)
    r.kernel(900, 1000, first, gemm, 3)  # launched before the recording
    counted = r.kernel(1250, 1650, first, gemm, 11)
    r.kernel(1950, 2050, second, reduce, 16)
    r.kernel(2000, 2100, second, reduce, 16)  # overlaps the one before it on its stream
    r.kernel(2300, 2400, second, 99, 18, stream=None, queue=5)  # of a kernel that is not told, on a queue
    r.copy(1660, 1700, "MEMORY_COPY_HOST_TO_DEVICE", first, cpu, 4096, 13)
    r.copy(2500, 2600, "MEMORY_COPY_DEVICE_TO_HOST", cpu, second, 65536, 17, stream=2)
    waves, busy = (r.add("info_pmc", nid=1, pid=1, agent_id=first, name=n, symbol=n) for n in ("SQ_WAVES", "GRBM_BUSY"))
    for counter, value in ((waves, 48), (busy, 0.5), (waves, 16)):  # SQ_WAVES has two instances
        r.add("pmc_event", event_id=counted, pmc_id=counter, value=value)
    r.add("pmc_event", event_id=counted, pmc_id=99, value=1)  # a counter that is not told
    track = r.add("track", nid=1, pid=process, tid=main, name_id=r.id("power of GPU 0"), extdata="{}")
    power = r.add("info_pmc", nid=1, pid=1, agent_id=first, name="power", symbol="power")
    for time, value in ((1000, 100.5), (2000, 300)):
        event = r.event("AMD_SMI")
        r.add("sample", track_id=track, timestamp=time, event_id=event, extdata="{}")
        r.add("pmc_event", event_id=event, pmc_id=power, value=value)
    r.add("sample", track_id=track, timestamp=2950, event_id=r.event("MARKER", message="a mark"), extdata="{}")
    r.add("memory_allocate", nid=1, pid=1, tid=main, agent_id=first, type="ALLOC", level="REAL", start=1000, end=1010, address=64, size=256)
    d.db.execute("CREATE VIEW kernels AS SELECT * FROM rocpd_kernel_dispatch_5f00c3")
    d.close()


def merged():
    """Recordings of three processes, on two machines, in one file: ids, correlation ids and devices begin anew in each."""
    d = Database("merged")
    for guid, host, pid in (("aaaa", 1, 100), ("bbbb", 1, 200), ("cccc", 2, 100)):
        r = Recording(d, guid, host)
        process = r.process(pid, "rank")
        thread, gpu = r.thread(process, pid), r.gpu(pid // 200)
        symbol = r.symbol("gemm", "gemm.kd")
        r.region(pid, pid + 10, thread, "hipLaunchKernel", stack=1)
        r.kernel(pid + 20, pid + 30, gpu, symbol, 1)
    d.close()


def odd():
    d = Database("bad/odd")
    r = Recording(d, "0")
    process = r.process(1 << 40, "no process has this number")
    thread = r.thread(process, 7)
    r.region(100, 90, thread, "ends before it begins", stack=1)
    r.region(None, 90, thread, "no start")
    r.region(100, "late", 99, "no end")
    r.region(1 << 62, (1 << 62) + 1, thread, "far away")
    r.region(100, 200, 99, "no thread, no event", stack=1 << 40)
    r.kernel(500, 600, 99, None, -5, stream=1 << 60)
    r.add("event", extdata='{"message": "cut off')
    r.add("sample", track_id=5, timestamp=5, event_id=5)
    d.close()
    d = Database("bad/view")
    d.db.execute("CREATE VIEW rocpd_string_1 AS SELECT 1 AS id, 'x' AS string")
    d.db.execute("CREATE VIEW rocpd_kernel_dispatch_1 AS SELECT 1 AS start")
    d.close()


def missing():
    """Rows that refer to rows which are not there, and a view in the place of a table."""
    d = Database("missing")
    r = Recording(d, "77")
    thread, gpu = r.thread(r.process(100, "app"), 100), r.gpu(0)
    symbol = r.symbol("gemm", "gemm.kd")
    r.region(10, 20, thread, "hipLaunchKernel", stack=1)
    r.kernel(30, 40, gpu, symbol, 1)
    r.kernel(50, 60, 98, symbol, 1)  # no device has this id
    r.kernel(70, 80, 98, symbol, 1, process=97)
    r.add("region", nid=1, pid=1, tid=96, start=90, end=95, name_id=95, event_id=94, extdata="{}")
    r.db.execute("DROP TABLE rocpd_memory_copy_77")
    r.db.execute("CREATE VIEW rocpd_memory_copy_77 AS SELECT 1 AS id")
    d.close()


def as_json():
    """What rocprofv3 writes with --output-format json: calls, ranges and marks, kernels and copies of one process."""
    kinds = [("NONE", []), ("HIP_RUNTIME_API", ["hipInit", "hipLaunchKernel", "hipMemcpyAsync"]), ("HSA_CORE_API", ["hsa_init"]),
             ("MARKER_CORE_RANGE_API", ["roctxMarkA", "roctxThreadRangeA", "roctxProcessRangeA"]),
             ("MEMORY_COPY", ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE"]), ("KERNEL_DISPATCH", ["KERNEL_DISPATCH_COMPLETE"]),
             ("RCCL_API", ["ncclAllReduce"])]

    def record(kind, operation, start, end, call, **more):
        return {"size": 1, "kind": kind, "operation": operation, "thread_id": 4711, "correlation_id": {"internal": call, "external": 0},
                "start_timestamp": start, "end_timestamp": end, **more}

    def kernel(start, end, call, kernel_id, stream, agent=3):
        size = {"x": 256, "y": 1, "z": 1}
        return record(5, 0, start, end, call, stream_id={"handle": stream},
                      dispatch_info={"agent_id": {"handle": agent}, "queue_id": {"handle": 16}, "kernel_id": kernel_id, "dispatch_id": 1,
                                     "private_segment_size": 8, "group_segment_size": 512, "workgroup_size": size,
                                     "grid_size": {"x": 1000, "y": 2, "z": 1}, "dispatch_info": {"kernel_id": 7}})

    process = {
        "metadata": {"node": {"hostname": "not to be read"}, "pid": 4711, "command": ["/usr/bin/app", "--secret", "1"]},
        "agents": [{"id": {"handle": (1 << 64) - 2}, "type": 1, "logical_node_type_id": 0, "product_name": "CPU"},
                   {"id": {"handle": 3}, "type": 2, "logical_node_type_id": 0, "product_name": "AMD Example GPU"}],
        "strings": {"buffer_records": [{"kind": kind, "operations": operations} for kind, operations in kinds],
                    "marker_api": [{"key": 90, "value": "step \"1\""}, {"key": 91, "value": "epoch"}]},
        "kernel_symbols": [{"kernel_id": 0, "kernel_name": "", "formatted_kernel_name": "0"},
                           {"kernel_id": 8, "kernel_name": "_Z4gemmPf.kd", "formatted_kernel_name": "gemm(float*)"}],
        "callback_records": {"counter_collection": [{"dispatch_data": {}}]},
        "buffer_records": {
            "kernel_dispatch": [kernel(1250, 1650, 11, 8, 1), kernel(1700, 1800, 99, 5, 0), kernel(None, 5, 1, 8, 0),
                                kernel(1900, 1890, 12, 8, 0, 7), kernel(2000, 1 << 62, 12, 8, 0), "no record"],
            "hip_api": [record(1, 1, 1100, 1200, 11), record(1, 2, 1300, 1400, 13), record(77, 1, 1500, 1510, 14), record(1, 9, 1520, 1530, 15)],
            "hsa_api": [record(2, 0, 1120, 1130, 12)],
            "marker_api": [record(3, 1, 1000, 2000, 90), record(3, 0, 1350, 1350, 91), record(3, 2, 1360, 1370, 92)],
            "rccl_api": [record(6, 0, 1600, 1650, 16)],
            "memory_copy": [record(4, 1, 1660, 1700, 13, dst_agent_id={"handle": 3}, src_agent_id={"handle": (1 << 64) - 2}, bytes=4096),
                            record(4, 0, 1800, 1810, 17, dst_agent_id={"handle": (1 << 64) - 2}, src_agent_id={"handle": 3}, bytes=1.5),
                            record(4, 0, 1820, 1830, 17, dst_agent_id={"handle": 1 << 64}, src_agent_id={"handle": 3}, bytes=1 << 63)],
            "memory_allocation": [{"size": 1}],
        },
    }
    with open(os.path.join(HERE, "process.json"), "w", encoding="utf-8") as out:
        json.dump({"rocprofiler-sdk-tool": [process]}, out, indent=1)
    with open(os.path.join(HERE, "bad", "no-process.json"), "w", encoding="utf-8") as out:
        out.write('{"rocprofiler-sdk-tool": [{"metadata": {"pid": 1}, ')
    with open(os.path.join(HERE, "bad", "sorted.json"), "w", encoding="utf-8") as out:
        json.dump({"rocprofiler-sdk-tool": [process]}, out, sort_keys=True)


two_gpus()
merged()
odd()
missing()
as_json()
