#!/usr/bin/env python3
"""Makes the fixtures of this folder: see SOURCE."""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
THREAD = "MainThread\0<thread>\x00139809148173184"
SELF = "<module>\0/srv/app/bin/pyinstrument\x001\1l8"
RUN = "main\0/srv/app/pyinstrument/__main__.py\x0030\1l410"


def samples(*stem, lines=True):
    """The same program in every version: work calls parse three times, once by a method."""
    def at(name, file, first, now, more=""):
        return f"{name}\0{file}\0{first}" + (f"{more}\1l{now}" if lines else "")

    main = at("<module>", "app.py", 1, 30)
    work = [at("work", "app.py", 20, n) for n in (21, 22, 23)]
    parse = at("parse", "/srv/app/parser.py", 7, 9, "\1cParser")
    loads = "loads\0<built-in>\x000"
    stem = list(stem)
    return [
        [stem + [main], 0.0011612600000034945],
        [stem + [main, work[0], parse], 0.0010003400000186957],
        [stem + [main, work[0], parse, loads], 0.000999653999997463],
        [stem + [main, work[1], parse, loads], 0.002],
        [stem + [main, work[1]], 1e-3],
        [stem + [main, at("größe", "app.py", 12, 13)], 0.0],
        [stem + [main, work[2], parse], 0.0009997399999974732],
    ]


def session(records, start, **more):
    return {"frame_records": records, "start_time": 1795219604.5047634,
            "duration": 0.0082499027252197266, "sample_count": len(records),
            "start_call_stack": start, **more}


V5 = {"min_interval": 0.001, "max_interval": 0.001, "cpu_time": 0.0079,
      "sys_path": ["/srv/app"], "sys_prefixes": ["/usr", "/usr", "/usr", "/usr"]}


def write(name, data):
    (HERE / name).write_text(data if isinstance(data, str) else json.dumps(data))


def version5(records, start, **more):
    data = session(records, start, target_description="Program: app.py --fast", **V5)
    data.update(more)
    data["frame_records"] = data.pop("frame_records")
    return data


def sessions():
    write("v3.pyireport", session(samples(lines=False), ["<module>\0app.py\x001"],
                                  program="app.py --fast", cpu_time=None))
    wait = [[THREAD, "main\0app.py\x001", "[await]\0<await>\x000"], 0.25]
    out = [[THREAD, "main\0app.py\x001", "[out-of-context]\0<out-of-context>\x000"], 0.125]
    write("v4.0.pyisession", session(samples(THREAD, lines=False) + [wait, out], [THREAD],
                                     program="app.py --fast", cpu_time=0.0079))
    write("v4.7.pyisession", session(samples(THREAD, SELF, RUN), [THREAD, SELF, RUN],
                                     target_description="Profile at /srv/app/app.py:30",
                                     cpu_time=0.0079))
    write("v5.pyisession", version5(samples(THREAD, SELF, RUN), [THREAD, SELF, RUN]))
    first = "MainThread\0<thread>\x00139809148173184"
    second = "worker-1\0<thread>\x00139809148173999"
    write("threads.pyisession", version5(
        samples(first)[:3] + samples(second)[3:] + [[[first], 0.5], [[], 0.25]], [first]))
    stack = [THREAD, "co\0app.py\x005\1l6", "inner\0app.py\x009\1l9\1h1"]
    write("await.pyisession", version5(
        [[stack + ["[await]"], 0.01], [stack, 0.002], [stack[:2] + ["[out-of-context]"], 0.003],
         [stack[:2] + ["[await]"], 0.004]], [THREAD]))


def classes():
    """Methods of one class, of several (inherited), of an object that only some samples have."""
    run, stop = "run\0app.py\x0010", "stop\0app.py\x0020"
    write("classes.pyisession", version5(
        [[[THREAD, run + "\1cJob\1l11", stop + "\1cJob\1l21"], 0.01],
         [[THREAD, run + "\1cJob\1l12", stop + "\1cTask\1l22"], 0.02],
         [[THREAD, run + "\1l13", "run\0app.py\x0030\1cPlan\1c\1"], 0.03],
         [[THREAD, run + "\1l13", "len\0<built-in>\x000"], 0.04]], [THREAD]))
    tree = frame("run", "app.py", 10, 0.1, [
        frame("stop", "app.py", 20, 0.02, class_name="Job"),
        frame("stop", "app.py", 20, 0.01, class_name="Task"),
        frame("run", "app.py", 30, 0.03, class_name="Plan")])
    tree["class_name"] = "Job"
    write("tree-classes.json", json.dumps(
        {"start_time": 1795219604.504763, "duration": 0.1, "sample_count": 4,
         "target_description": "Program: app.py", "cpu_time": 0.1, "root_frame": tree}) + "\n")


def odd():
    """What a reader must live with: shapes, numbers, names, a member it does not know."""
    text = json.dumps(version5([
        [[THREAD, "only a name"], 0.5],
        [[THREAD, "a\0b.py", "c\0d.py\0x\1z?\1l-4"], 0.25],
        [[THREAD, "half \ud800 of a pair\0\"\\\n.py\x0099999999999"], 2.5e-10],
        [[THREAD, 7, "negative\0a.py\x001"], -1.0],
        [[THREAD, "long\0a.py\x001"], 100000000000.0],
        ["no list", 1.0],
        [[THREAD, "no time\0a.py\x001"]],
        "no sample",
        [[THREAD, "no number\0a.py\x001"], float("nan")],
    ], [THREAD, "other\0a.py\x001"], target_description=None, unknown={"frame_records": [1]}))
    write("odd.pyisession", text)
    text = json.dumps(version5(samples(THREAD), [THREAD]))
    write("cut.pyisession", text[:text.index("0.00099973")])


def frame(function, file, line, time, children=(), **more):
    return {"function": function, "file_path_short": file, "file_path": file, "line_no": line,
            "time": time, **more, "children": list(children)}


def trees():
    """As version 3 writes them: the frame's own time has the frame's file."""
    root = frame("<module>", "app.py", 1, 0.008161, [
        frame("work", "app.py", 20, 0.007, [
            frame("parse", "/srv/app/parser.py", 7, 0.003, [frame("[self]", "", 7, 0.002)]),
            frame("loads", "<built-in>", 0, 0.003001)]),
        frame("[self]", "app.py", 1, 0.001161)])
    write("tree-v3.json", json.dumps(
        {"start_time": 1795219604.504763, "duration": 0.00825, "sample_count": 7,
         "program": "app.py", "cpu_time": None, "root_frame": root}) + "\n")


def rendered(python):
    """As pyinstrument itself prints the session of version 5."""
    for name, options in (("tree-v5.json", []), ("tree-v5-all.json", ["--show-all", "--timeline"])):
        run = subprocess.run([python, "-m", "pyinstrument", "--load", HERE / "v5.pyisession",
                              "-r", "json", *options], stdout=subprocess.PIPE, check=True)
        (HERE / name).write_bytes(run.stdout)


def bad():
    empty = version5([], [THREAD])
    write("bad/empty.pyisession", empty)
    write("bad/empty.json", '{"start_time": 1.0,"duration": 0.000055,"sample_count": 0,'
          '"target_description": "x","cpu_time": 0.0,"root_frame": null}\n')
    write("bad/no-list.pyisession", {"frame_records": 7, "start_call_stack": []})
    write("bad/no-frame.json", '{"duration": 1, "sample_count": 2, "root_frame": 3}')
    write("bad/neither.json", '{"duration": 1, "sample_count": 2}')
    write("bad/array.json", "[1]")
    write("bad/syntax.pyisession", '{"frame_records": [[["a\\u0000b.py\\u00001"], 1.0]; 2]}')
    write("bad/years.pyisession", version5([[["a"], 9e9], [["a"], 9e9]], []))


if __name__ == "__main__":
    sessions()
    classes()
    odd()
    trees()
    bad()
    if len(sys.argv) > 1:
        rendered(sys.argv[1])
