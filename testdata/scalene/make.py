#!/usr/bin/env python3
"""Makes the fixtures of this folder: see SOURCE."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
FIELDS = ("n_cpu_percent_python", "n_cpu_percent_c", "n_sys_percent", "n_malloc_mb", "n_mallocs",
          "n_python_fraction", "n_peak_mb", "n_copy_mb_s", "n_gpu_percent", "n_gpu_peak_memory_mb",
          "n_async_await_percent")
TEXT = """import sql
class Table:
    def scan(self, a):
        q = '''
select "x
'''; # not one: ('''
        return [x \\
 for x in a]
    @first(1,
2)
    # not the second
    @second
    async def wait(self):
        def inner(): pass
        inner()
if 1 < 2 & 3:
    Table().scan([])
"""


def write(name, profile):
    HERE.joinpath(name).write_text(json.dumps(profile, indent=1, sort_keys=True, ensure_ascii=False) + "\n",
                                   encoding="utf-8")


def line(number, text, *values):
    for plain, escaped in (("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e")):
        text = text.replace(plain, escaped)
    return {"lineno": number, "line": text, **dict(zip(FIELDS, values))}


def table():
    """Every line of TEXT, with values in the order of FIELDS."""
    values = {5: (1, 2, 0.5), 7: (20.5, 4.25, 0.25, 12.5, 3, 0.5, 6.25, 2.0),
              8: (0, 0, 0, 1.000001, 1, 1, 1.000001), 9: (0.5,), 10: (0.5,),
              13: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100.0), 14: (0.125, 0, 1e-05), 17: (49, 20.625, 0.75, 0, 0, 0, 0, 0, 62.5, 512.0)}
    return [line(i, text, *values.get(i, ())) for i, text in enumerate(TEXT.splitlines(True), 1)]


def python(name, number, file="/srv/app/table.py"):
    return {"kind": "py", "display_name": name, "filename_or_module": file, "line": number,
            "ip": None, "offset": None}


def native(name, module="", address=0x55d0):
    return {"kind": "native", "display_name": name, "filename_or_module": module, "line": None,
            "ip": address, "offset": 0}


def shapes():
    whole = {
        "elapsed_time_sec": 2.5, "start_time_absolute": 1795242064.5, "start_time_perf": 12.5,
        "args": ["table.py", "größe"], "program": "/srv/app/table.py", "alloc_samples": 7,
        "main_thread_id": 71, "max_footprint_mb": 30.5, "max_footprint_fname": None,
        "native_allocations_mb": 2.25, "gpu": True, "gpu_device": "GPU", "memory": True,
        "samples": [[1000, 1.5], [2000000000, 30.5]],
        "files": {"/srv/app/table.py": {
            "percent_cpu_time": 99.5, "imports": ["import sql"], "lines": table(),
            "leaks": {"7": {"likelihood": 0.98, "velocity_mb_s": 1.5}},
            "functions": [{"line": "Table.scan", "lineno": 3, **dict(zip(FIELDS, (21.5,)))}]}},
        "stacks": [[["/srv/app/table.py <module>:17;", "/srv/app/table.py Table.scan:7;"],
                    {"count": 3, "c_time": 0.1, "cpu_samples": 0.2, "python_time": 0.1}],
                   [["/srv/app/table.py <module>:17;", "/srv/my app/x.py main.<locals>.f:4;",
                     "/srv/app/table.py Table.scan:7;"],
                    {"count": 1, "c_time": 0.025, "cpu_samples": 0.05, "python_time": 0.025}],
                   [["no place"], {"count": 1, "cpu_samples": 0.1}], [[], {"cpu_samples": 0.1}]],
        "memory_stacks": [[[python("<module>", 17), python("Table.scan", 7)], 12.5]],
        "combined_stacks": [[[python("<module>", 17), native(""), native("read", "libc.so.6")], 3],
                            [[python("[await] wait (Task-1)", 13)], 2], [[native("", "", 0)], 1]],
        "combined_stacks_timeline": [
            {"t_sec": 0.5, "stack_index": 0, "count": 2, "thread_id": 71},
            {"t_sec": 0.75, "stack_index": 1, "count": 2, "thread_id": None},
            {"t_sec": 1.25, "stack_index": 0, "count": 1, "thread_id": 72},
            {"t_sec": 1.25, "stack_index": 2, "count": 1, "thread_id": 71},
            {"t_sec": 1.25, "stack_index": 9, "count": 1, "thread_id": 72}]}
    write("shapes.json", whole)
    old = copy.deepcopy(whole)
    for key in ("combined_stacks", "combined_stacks_timeline", "memory_stacks", "args", "samples",
                "native_allocations_mb", "start_time_absolute", "main_thread_id"):
        del old[key]
    lines = old["files"]["/srv/app/table.py"]["lines"]
    old["files"] = {"table.py": {"lines": [x for x in lines if len(x) > 2], "functions": []}}
    old["stacks"] = [[[["table.py", "<module>", 17], ["table.py", "scan", 7]], [3, 0.1, 0.1, 0.2]]]
    write("old.json", old)
    page = json.dumps({**old, "stacks": []}, sort_keys=True)
    HERE.joinpath("page.html").write_text(
        "\n<!DOCTYPE html>\n<html>\n<head><title>Scalene</title></head>\n<script>\n"
        f"      const profile = {page}\n\n    </script>\n</html>\n", encoding="utf-8")
    odd = copy.deepcopy(old)
    odd["files"] = {"a.py": {"lines": [
        line(3, "x = (\n", 10, -1, "much"), line(4, "def f():\n", 5), line(5, ")\n", 5),
        line(5, "twice\n", 5), line(2, "back\n", 5), line(4294967296, "far", 1), 7,
        line(6, "def g(): return 1\n", None), {"line": 8}]},
        "b.py": [], "a.py ": {"lines": [line(70000, "y", 1.5)], "leaks": []}}
    odd["stacks"] = [7, [], [[7], {}], [[["a.py"]], [1]], [["a.py f:x;", "f"], 3], {"a": 1}]
    odd["combined_stacks"] = [[[python("f", 1, "b.py")], 4]]
    odd["combined_stacks_timeline"] = [{"t_sec": 1, "stack_index": 0}, {"t_sec": 1, "stack_index": 0, "count": 4}, 7]
    odd["args"] = "table.py"
    write("odd.json", odd)


def bad():
    HERE.joinpath("bad").mkdir(exist_ok=True)
    for name, text in {"child.json": '{"is_child": true}', "nothing.json": "{}",
                       "list.json": "[1]", "cut.json": '{"alloc_samples": 0, "elapsed_time_sec": 1.5, "entrypoint_dir": "/x',
                       "syntax.json": '{"elapsed_time_sec": 1, files: {}}',
                       "page.html": "<html><title>Scalene</title></html>"}.items():
        HERE.joinpath("bad", name).write_text(text + "\n", encoding="utf-8")


def record(scalene):
    """A recording of program.py, without most of the stacks that have native frames."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "recorded.json")
        subprocess.run([scalene, "run", "-o", str(path), "--memory", "--allocation-sampling-window", "100003",
                        "program.py"], cwd=HERE, check=True, env={**os.environ, "TERM": "dumb"})
        text = path.read_text(encoding="utf-8").replace(str(HERE.resolve()), "/srv/app")
    profile = json.loads(text)
    profile["combined_stacks"] = [[frames[:4], hits] for frames, hits in profile["combined_stacks"][:4]]
    profile["combined_stacks_timeline"] = [m for m in profile["combined_stacks_timeline"]
                                           if m["stack_index"] < 4][:10]
    profile["samples"] = profile["samples"][:5]
    for file in profile["files"].values():
        for part in file["lines"] + file["functions"]:
            part["memory_samples"] = part["memory_samples"][:2]
            part["cpu_samples_list"] = part["cpu_samples_list"][:2]
    write("recorded.json", profile)


shapes()
bad()
if len(sys.argv) > 1:
    record(sys.argv[1])
