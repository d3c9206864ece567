#!/usr/bin/env python3
"""Makes the traces of torch.profiler in this folder, as Kineto lays them out.

The runs are invented: two steps of a small network, with times that can be added up by hand.
"""
import json
import pathlib

HERE = pathlib.Path(__file__).parent
BASE = 1700000000000000000
PID = 4200


def us(ns):
    return round(ns / 1000, 3)


class Trace:
    def __init__(self, **head):
        self.head = {"schemaVersion": 1, "deviceProperties": [], **head}
        self.tail = {}
        self.events = []

    def add(self, **event):
        self.events.append(event)

    def span(self, category, name, start, end, tid=PID, pid=PID, **args):
        self.add(ph="X", cat=category, name=name, pid=pid, tid=tid, ts=us(start),
                 dur=us(end - start), args=args)

    def memory(self, time, size, total, device=0):
        kind = {"Device Type": device, "Device Id": 0 if device else -1}
        self.add(ph="i", cat="cpu_instant_event", s="t", name="[memory]", pid=PID, tid=PID,
                 ts=us(time), args={"Total Reserved": 4096 * device, "Total Allocated": total,
                                    "Bytes": size, **kind, "Addr": 1, "finished": False})

    def names(self, gpu):
        self.add(name="process_name", ph="M", ts=us(0), pid=PID, tid=0, args={"name": "python"})
        self.add(name="process_labels", ph="M", ts=us(0), pid=PID, tid=0, args={"labels": "CPU"})
        self.add(name="thread_name", ph="M", ts=us(0), pid=PID, tid=PID,
                 args={"name": f"thread {PID} (python)"})
        if gpu:
            self.add(name="process_labels", ph="M", ts=us(0), pid=0, tid=0,
                     args={"labels": "GPU 0"})
            self.add(name="thread_name", ph="M", ts=us(0), pid=0, tid=7,
                     args={"name": "stream 7 "})

    def window(self, start, end):
        self.add(ph="X", cat="Trace", ts=us(start), dur=us(end - start), pid="Spans",
                 tid="PyTorch Profiler", name="PyTorch Profiler (0)", args={"Op count": 0})
        self.add(name="Iteration Start: PyTorch Profiler", ph="i", s="g", pid="Traces",
                 tid="Trace PyTorch Profiler", ts=us(start))
        self.add(name="Record Window End", ph="i", s="g", pid="", tid="", ts=us(end))

    def write(self, name, separators=(", ", ": ")):
        lines = ",\n".join(json.dumps(e, separators=separators) for e in self.events)
        head = json.dumps(self.head, separators=separators)[:-1]
        tail = "".join(f", {json.dumps(k)}: {json.dumps(v)}" for k, v in self.tail.items())
        (HERE / name).write_text(f'{head}, "traceEvents": [\n{lines}\n]{tail}}}\n')


def step(t, number, start):
    """100 us: forward with a kernel on the GPU, a copy back that waits, backward."""
    correlation = number * 10
    op = number * 100
    t.span("user_annotation", f"ProfilerStep#{number}", start, start + 100000,
           **{"External id": op})
    # The annotation begins within a Python function that ends before it.
    t.span("python_function", "<built-in method _record_function_enter_new>", start - 1000,
           start + 1000, **{"Python id": op, "Python parent id": None})
    t.span("python_function", "train.py(12): forward", start + 5000, start + 45000,
           **{"Python id": op + 1, "Python parent id": None})
    t.span("cpu_op", "aten::linear", start + 10000, start + 40000,
           **{"External id": op + 1, "Sequence number": number, "Fwd thread id": 0,
              "Input Dims": [[8, 16], [4, 16], [4]]})
    t.span("cpu_op", "aten::addmm", start + 12000, start + 38000,
           **{"External id": op + 2, "Sequence number": number, "Fwd thread id": 0,
              "Input Dims": [[4], [8, 16], [16, 4], [], []],
              "Concrete Inputs": ["", "", "", "1", "1"]})
    t.memory(start + 13000, 512, 512 * number, device=1)
    t.span("cuda_runtime", "cudaLaunchKernel", start + 20000, start + 25000,
           **{"External id": op + 2, "cbid": 211, "correlation": correlation})
    t.add(ph="s", id=correlation, pid=PID, tid=PID, ts=us(start + 20000), cat="ac2g", name="ac2g")
    t.span("kernel", "gemm_kernel<float>", start + 30000, start + 70000, pid=0, tid=7,
           **{"External id": op + 2, "device": 0, "stream": 7, "correlation": correlation})
    t.add(ph="f", id=correlation, pid=0, tid=7, ts=us(start + 30000), cat="ac2g", name="ac2g",
          bp="e")
    t.span("cpu_op", "aten::item", start + 50000, start + 80000, **{"External id": op + 3})
    t.span("cpu_op", "aten::_local_scalar_dense", start + 51000, start + 79000,
           **{"External id": op + 4})
    t.span("cuda_runtime", "cudaMemcpyAsync", start + 52000, start + 60000,
           **{"External id": op + 4, "cbid": 41, "correlation": correlation + 1})
    t.span("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", start + 71000, start + 73000, pid=0,
           tid=7, **{"External id": op + 4, "device": 0, "stream": 7,
                     "correlation": correlation + 1, "bytes": 4})
    t.add(ph="s", id=correlation + 1, pid=PID, tid=PID, ts=us(start + 52000), cat="ac2g",
          name="ac2g")
    t.add(ph="f", id=correlation + 1, pid=0, tid=7, ts=us(start + 71000), cat="ac2g", name="ac2g",
          bp="e")
    t.span("cuda_runtime", "cudaStreamSynchronize", start + 61000, start + 76000,
           **{"External id": op + 4, "cbid": 131, "correlation": correlation + 2})
    back = "autograd::engine::evaluate_function: AddmmBackward0"
    t.span("cpu_op", back, start + 82000, start + 95000, tid=PID + 1,
           **{"External id": op + 5, "Sequence number": number, "Fwd thread id": 1})
    t.span("cpu_op", "AddmmBackward0", start + 83000, start + 94000, tid=PID + 1,
           **{"External id": op + 6, "Sequence number": number, "Fwd thread id": 1})
    t.span("cpu_op", "aten::mm", start + 84000, start + 90000, tid=PID + 1,
           **{"External id": op + 7, "Input Dims": [[4, 8], [8, 16]]})
    # Dispatched again under the same name: one call.
    t.span("cpu_op", "aten::mm", start + 85000, start + 89000, tid=PID + 1,
           **{"External id": op + 8, "Input Dims": [[4, 8], [8, 16]]})
    t.memory(start + 86000, 256, 256 * number)
    t.span("gpu_user_annotation", f"ProfilerStep#{number}", start + 30000, start + 73000, pid=0,
           tid=7)
    t.add(ph="s", id=number, pid=PID, tid=PID, ts=us(start + 12000), cat="fwdbwd", name="fwdbwd")
    t.add(ph="f", id=number, pid=PID, tid=PID + 1, ts=us(start + 83000), cat="fwdbwd",
          name="fwdbwd", bp="e")


def gpu():
    t = Trace(with_flops=1, record_shapes=1, profile_memory=1, with_stack=1,
              distributedInfo={"backend": "nccl", "rank": 3, "world_size": 4},
              trace_id="00112233445566778899AABBCCDDEEFF", displayTimeUnit="ms",
              baseTimeNanoseconds=BASE)
    step(t, 1, 10000)
    step(t, 2, 120000)
    t.names(gpu=True)
    t.window(0, 230000)
    t.tail["traceName"] = "trace.json"
    t.write("gpu.json")


def stacks():
    """With the experimental verbose mode of a version that has Python functions in the tree."""
    t = Trace(with_stack=1, record_shapes=1, host_name="box", displayTimeUnit="ms",
              baseTimeNanoseconds=BASE)
    t.names(gpu=False)
    t.span("python_function", "a b.py(3): main", 1000, 90000, **{"Python id": 1})
    t.span("user_annotation", "block", 10000, 60000, **{"Call stack": "a b.py(3): main;"})
    t.span("python_function", "a b.py(9): <lambda>", 15000, 55000,
           **{"Python id": 2, "Python parent id": 1, "Call stack": "a b.py(3): main;"})
    t.span("cpu_op", "aten::add.Tensor", 20000, 30000,
           **{"Call stack": "a b.py(9): <lambda>;a b.py(3): main;", "Sequence number": 4})
    t.span("cpu_op", "aten::add.Scalar", 32000, 33000,
           **{"Call stack": "a b.py(9): <lambda>;a b.py(3): main;"})
    t.span("cpu_op", "autograd::engine::evaluate_function: AddBackward0", 70000, 80000,
           tid=PID + 1, **{"Sequence number": 4, "Fwd thread id": 1})
    t.span("cpu_op", "AddBackward0", 71000, 79000, tid=PID + 1,
           **{"Sequence number": 4, "Fwd thread id": 1})
    t.span("user_annotation", "gloo:all_reduce", 40000, 99000, tid=PID + 2)
    t.window(0, 100000)
    t.write("stacks.json")


def old():
    """1.9: whole us since 1970, categories and threads under other names, no metadata."""
    t = Trace()
    start = BASE + 1000000
    t.span("Operator", "aten::mm", start, start + 50000, tid=str(PID), **{"external id": "5"})
    t.span("Runtime", "cudaLaunchKernel", start + 10000, start + 12000, tid=str(PID),
           **{"external id": "5", "correlation": "77"})
    t.span("Kernel", "sgemm", start + 20000, start + 120000, pid=0, tid="stream 7",
           **{"external id": "5", "correlation": "77", "device": "0", "stream": "7"})
    t.add(ph="f", id=77, pid=0, tid=7, ts=us(start + 20000), cat="async", name="launch", bp="e")
    for e in t.events:
        e["ts"] = int(e["ts"])
        if "dur" in e:
            e["dur"] = int(e["dur"])
    t.write("old.json")


def legacy():
    """torch.autograd.profiler without Kineto: a list, with the noise of doubles."""
    rows = [("step", 737.631, 2526.529), ("aten::matmul", 818.991, 397.25800000000004),
            ("aten::mm", 838.8, 377.12900000000013)]
    events = [{"name": name, "ph": "X", "ts": ts, "dur": dur, "tid": 1, "pid": "CPU functions",
               "args": {}} for name, ts, dur in rows]
    (HERE / "legacy.json").write_text(json.dumps(events) + "\n")


def odd():
    """2.2: a raw line feed and bytes that are no UTF-8 in a name."""
    t = Trace(with_stack=1)
    start = BASE
    t.span("python_function", "config.py(0): import NAME", start, start + 9000,
           **{"Python id": 1, "Python parent id": None})
    t.span("cpu_op", "aten::add", start + 1000, start + 3000, **{"External id": 1})
    for e in t.events:
        e["ts"], e["dur"] = int(e["ts"]), int(e["dur"])
    t.write("odd.json")
    path = HERE / "odd.json"
    path.write_bytes(path.read_bytes().replace(b"NAME", b"torch\n\xbb\xa3"))


def overhead():
    """2.5: what the profiler itself takes is in a process of its own, -1, without a name."""
    t = Trace(baseTimeNanoseconds=BASE)
    t.names(gpu=False)
    t.span("cpu_op", "aten::mm", 0, 50000, **{"External id": 1})
    t.span("overhead", "Activity Buffer Request", 1000, 21000, pid=-1, tid=0)
    t.span("cpu_op", "aten::add", 60000, 70000, **{"External id": 2})
    t.window(0, 100000)
    t.write("overhead.json")


def launch(t, call, at, kind, name, start, end, stream, **args):
    """A call of 5 us, and the work on the GPU that it launches."""
    t.launches += 1
    t.span("cuda_runtime", call, at, at + 5000, correlation=t.launches)
    work(t, kind, name, start, end, stream, **args)


def work(t, kind, name, start, end, stream, **args):
    t.span(kind, name, start, end, pid=0, tid=stream, device=0, stream=stream,
           correlation=t.launches, **args)


def rank(number):
    """Two steps of 1 ms on one of two ranks. In each, 100 us of data loading, two products, an
    all-reduce that rank 1 joins 100 us late, a copy behind it, and a graph of two kernels. In the
    second step a kernel whose launch is missing, and a launch whose kernel is missing."""
    t = Trace(distributedInfo={"backend": "nccl", "rank": number, "world_size": 2},
              baseTimeNanoseconds=BASE)
    t.launches = 0
    for step in (1, 2):
        s = step * 1000000
        t.span("user_annotation", f"ProfilerStep#{step}", s, s + 1000000)
        t.span("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
               s + 5000, s + 95000)
        t.span("cpu_op", "aten::mm", s + 98000, s + 128000)
        launch(t, "cudaLaunchKernel", s + 100000, "kernel", "gemm<float>", s + 110000, s + 310000, 7)
        launch(t, "cudaLaunchKernel", s + 120000, "kernel", "gemm<float>", s + 312000, s + 500000, 7)
        launch(t, "cudaLaunchKernelExC", s + 130000, "kernel",
               "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
               s + 300000 + number * 100000, s + 700000, 20,
               **{"Collective name": "allreduce", "dtype": "Float", "In msg nelems": 1000000,
                  "Out msg nelems": 1000000, "Group size": 2, "Process Group Name": "0",
                  "Seq": step})
        launch(t, "cudaMemcpyAsync", s + 140000, "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)",
               s + 650000, s + 750000, 21, bytes=1000000,
               **{"memory bandwidth (GB/s)": 10.0})
        launch(t, "cudaGraphLaunch", s + 800000, "kernel", "relu", s + 820000, s + 860000, 7)
        work(t, "kernel", "norm", s + 870000, s + 900000, 7)
        if step == 2:
            t.launches += 1
            work(t, "kernel", "norm", s + 950000, s + 960000, 7)
            t.span("cuda_runtime", "cudaLaunchKernel", s + 970000, s + 975000, correlation=99)
    t.names(gpu=True)
    t.window(900000, 3000000)
    t.write(f"rank{number}.json", separators=(",", ":"))


def critical():
    """A step whose critical path is known: 10 us until aten::mm, 10 us until its launch, 15 us of
    launch delay, 200 us of gemm, 5 us until the all-reduce that waits for it on another stream,
    200 us of that, 10 us until cudaDeviceSynchronize returns, 50 us until the end of the step.
    Autograd runs on a thread of its own, and .item() waits for a stream: both are ready in time."""
    t = Trace(baseTimeNanoseconds=BASE)
    t.launches = 0
    t.span("user_annotation", "ProfilerStep#1", 1000000, 1500000)
    t.span("cpu_op", "aten::mm", 1010000, 1060000)
    launch(t, "cudaLaunchKernel", 1020000, "kernel", "gemm<float>", 1035000, 1235000, 7)
    t.span("cuda_runtime", "cudaEventRecord", 1070000, 1072000, correlation=101)
    t.span("cuda_runtime", "cudaStreamWaitEvent", 1075000, 1077000, correlation=102)
    t.span("cuda_sync", "Stream Wait Event", 1075500, 1076500, pid=0, tid=20, stream=20,
           correlation=102, wait_on_stream=7, wait_on_cuda_event_record_corr_id=101)
    launch(t, "cudaLaunchKernelExC", 1080000, "kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
           1240000, 1440000, 20)
    t.span("user_annotation", "## backward ##", 1100000, 1300000)
    t.span("cpu_op", "autograd::engine::evaluate_function: MmBackward0", 1110000, 1290000, tid=4300)
    t.span("cpu_op", "aten::mm", 1120000, 1200000, tid=4300)
    t.span("cuda_runtime", "cudaLaunchKernel", 1130000, 1140000, tid=4300, correlation=103)
    t.span("kernel", "gemm<float>", 1237000, 1337000, pid=0, tid=7, stream=7, correlation=103)
    t.span("cpu_op", "aten::item", 1310000, 1355000)
    launch(t, "cudaMemcpyAsync", 1320000, "gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 1340000,
           1345000, 7)
    t.span("cuda_runtime", "cudaStreamSynchronize", 1335000, 1350000, correlation=104)
    t.span("cuda_sync", "Stream Sync", 1336000, 1349000, pid=0, tid=7, stream=7, correlation=104)
    t.span("cuda_runtime", "cudaDeviceSynchronize", 1360000, 1450000, correlation=105)
    t.names(gpu=True)
    t.window(900000, 1600000)
    t.write("critical.json", separators=(",", ":"))


def critical_odd():
    """Dependencies that cannot be: a kernel before its launch, one correlation id for two calls, a kernel without a launch,
    a wait that returns 2 us before the kernel ends and one 50 us before, two kernels of 0 us that wait for each other."""
    t = Trace(baseTimeNanoseconds=BASE)
    t.launches = 0

    def call(name, start, end, correlation, **args):
        t.span("cuda_runtime", name, start, end, correlation=correlation, **args)

    def kernel(name, start, end, stream, correlation):
        t.span("kernel", name, start, end, pid=0, tid=stream, stream=stream, correlation=correlation)

    def wait(at, stream, on, record, correlation):
        call("cudaStreamWaitEvent", at, at + 1000, correlation)
        t.span("cuda_sync", "Stream Wait Event", at, at + 500, pid=0, tid=-1, stream=stream, correlation=correlation,
               wait_on_stream=on, wait_on_cuda_event_record_corr_id=record)
    t.span("user_annotation", "ProfilerStep#1", 1000000, 2000000)
    call("cudaLaunchKernel", 1050000, 1055000, 1)
    kernel("early", 1040000, 1060000, 7, 1)
    call("cudaLaunchKernel", 1070000, 1075000, 2)
    call("cudaLaunchKernel", 1080000, 1085000, 2)
    kernel("twice", 1090000, 1100000, 7, 2)
    kernel("unlaunched", 1110000, 1120000, 7, 77)
    call("cudaLaunchKernel", 1130000, 1135000, 3)
    kernel("late", 1140000, 1252000, 7, 3)
    call("cudaDeviceSynchronize", 1200000, 1250000, 4)
    call("cudaLaunchKernel", 1260000, 1265000, 5)
    kernel("later", 1270000, 1350000, 7, 5)
    call("cudaDeviceSynchronize", 1280000, 1300000, 6)
    wait(1400000, 7, 20, 14, 11)
    call("cudaLaunchKernel", 1410000, 1415000, 7)
    call("cudaEventRecord", 1420000, 1425000, 13)
    wait(1430000, 20, 7, 13, 12)
    call("cudaLaunchKernel", 1440000, 1445000, 8)
    call("cudaEventRecord", 1450000, 1455000, 14)
    kernel("circle", 1500000, 1500000, 7, 7)
    kernel("circle", 1500000, 1500000, 20, 8)
    call("cudaDeviceSynchronize", 1460000, 1510000, 15)
    t.names(gpu=True)
    for stream in (7, 20):
        t.add(name="thread_name", ph="M", ts=0, pid=0, tid=stream, args={"name": f"stream {stream} "})
    t.write("critical-odd.json", separators=(",", ":"))


gpu()
critical()
critical_odd()
rank(0)
rank(1)
stacks()
old()
legacy()
odd()
overhead()
