#!/usr/bin/env python3
"""make.py PYTHON-5.3.1 PYTHON-4.0.0: writes the fixtures with these versions of pytest-benchmark. See SOURCE."""
import copy
import json
import os
import subprocess
import sys

MACHINE = {"node": "host", "processor": "", "machine": "x86_64", "python_compiler": "GCC 12.2.0",
           "python_implementation": "CPython", "python_implementation_version": "3.11.7", "python_version": "3.11.7",
           "python_build": ["main", "Jan  1 2026 00:00:00"], "release": "6.1.0", "system": "Linux",
           "cpu": {"arch": "X86_64", "bits": 64, "count": 2, "brand_raw": "AMD EPYC",
                   "hz_advertised": [2445434000, 0], "flags": ["avx2", "sse4_2"]}}


def record(python, *args):
    """What is recorded, without what tells of the machine and the day."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_program.py",
                    "--benchmark-json=recorded.json", *args], check=True, env=env, stdout=subprocess.DEVNULL)
    with open("recorded.json", encoding="utf-8") as f:
        data = json.load(f)
    os.remove("recorded.json")
    data["machine_info"] = MACHINE
    data["commit_info"] = {"id": "5b78858eb718649a31fb93d8dc96ca2cee41a4cd", "time": "2026-11-20T10:00:00+00:00",
                           "author_time": None, "dirty": True, "project": "demo", "branch": "main"}
    data["datetime"] = "2026-11-22T11:14:40.207204" + ("+00:00" if data["version"][0] == "5" else "")
    for b in data["benchmarks"]:
        for c in b.get("cprofile") or []:
            c["function_name"] = "demo/" + c["function_name"].split("/")[-1]
            for i, key in enumerate(("tottime", "cumtime")):
                c[key] = (i + 1) * 1e-6 * c["ncalls"]
                c[key + "_per"] = c[key] / int(c["ncalls_recursion"].split("/")[-1])
    return data


def write(name, data, **how):
    with open(name, "w", encoding="utf-8") as f:
        f.write(json.dumps(data, **(how or {"indent": 4})))


def summary(data):
    """As --benchmark-save writes it without --benchmark-save-data."""
    data = copy.deepcopy(data)
    for b in data["benchmarks"]:
        del b["stats"]["data"]
    return data


def old(data):
    """The members of version 2.5, in another order."""
    data = summary(data)
    keep = {"name", "group", "stats", "options", "fullname"}
    benchmarks = [{k: b[k] for k in sorted(b, reverse=True) if k in keep} for b in data["benchmarks"]]
    for b in benchmarks:
        del b["stats"]["total"], b["stats"]["ops"]
    machine = {k: v for k, v in MACHINE.items() if k not in ("cpu", "python_build")}
    return {"benchmarks": benchmarks, "datetime": "2015-08-15T00:04:18.687119", "machine_info": machine,
            "commit_info": {"id": "unversioned", "dirty": False}, "version": "2.5.0"}


def odd(data):
    data = copy.deepcopy(data)
    b = data["benchmarks"]
    b[0]["stats"]["data"][1:4] = [float("nan"), None, -1e-6]
    b[1].update(name=b[0]["name"], fullname=b[0]["fullname"])
    b[2]["fullname"] = "elsewhere"
    del b[3]["name"], b[3]["fullname"]
    del b[4]["stats"]["data"], b[4]["stats"]["mean"]
    b[5]["extra_info"] = {"text": "a \"b\" [c]", "list": [1, {"d": None}]}
    b[6]["stats"]["data"] = []
    data["machine_info"]["cpu"] = "unknown"
    data["hook"] = {"anything": [1, 2]}
    return data


def statistics(python, values):
    code = "import json, sys; from pytest_benchmark.stats import Stats; s = Stats(); s.data = json.load(sys.stdin); " \
           "print(json.dumps(s.as_dict()))"
    run = subprocess.run([python, "-c", code], input=json.dumps(values), text=True, capture_output=True, check=True)
    return json.loads(run.stdout)


def main():
    new, before = sys.argv[1:]
    data = record(new)
    slower = copy.deepcopy(data)
    for b in slower["benchmarks"]:
        if "parse" in b["name"]:
            b["stats"]["data"] = [x * 1.25 for x in b["stats"]["data"]]
            b["stats"].update(statistics(new, b["stats"]["data"]))
    write("values.json", data)
    write("slower.json", slower)
    write("summary.json", summary(data))
    write("profiled.json", record(before, "--benchmark-cprofile=tottime", "-k", "work or once"))
    write("old.json", old(data))
    write("odd.json", odd(data), separators=(",", ":"))
    write("bad/none.json", {**data, "benchmarks": []})
    write("bad/no-list.json", {**data, "benchmarks": {}})
    text = json.dumps(data, indent=4)
    with open("bad/cut-first.json", "w", encoding="utf-8") as f:
        f.write(text[:text.index('"data"') + 60])


main()
