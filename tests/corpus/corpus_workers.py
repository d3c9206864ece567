#!/usr/bin/env python3
"""profkit workers finds in recordings what is wrong, from every recorder that can show it.

One script spread its work four ways over a pool of four processes, and was recorded with five
tools each time; two ranks of torch, one of them slow; viztracer's own example of a pool. Skipped
where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import json
import os
import pathlib
import subprocess
import sys

SKIP = 77
RECORDERS = ("py-spy.chrometrace.json.gz", "py-spy.raw.txt", "py-spy.speedscope.json",
             "viztracer.json.gz", "perf.txt")
# Only viztracer knows where tasks begin and end.
TASKS = {"tail": "tail_long_task", "chunks": "tail_chunks"}
OTHERS = {"good": "good", "tiny": "overhead_tiny_tasks", "tail": "static_imbalance",
          "chunks": "static_imbalance"}
failures = []
done = 0


def workers(*paths):
    command = [os.environ.get("PROFKIT", "./profkit"), "workers", "-q", "--format", "json", *paths]
    ran = subprocess.run(command, capture_output=True)
    if ran.returncode:
        failures.append(f"{' '.join(map(str, command))}: {ran.stderr.decode()}")
        return None
    return json.loads(ran.stdout)


def check(what, got, want):
    global done  # pylint: disable=global-statement
    done += 1
    if got != want:
        failures.append(f"{what}: {got}, should be {want}")


def check_sums(name, got):
    span = got["window"]["end"] - got["window"]["start"]
    for worker in got["workers"]:
        parts = [worker[k] or 0 for k in ("useful", "overhead", "startup", "tail", "wait")]
        check(f"{name}: sum of {worker['name']}", sum(parts), span)


def scenarios(folder):
    for scenario, code in OTHERS.items():
        for recorder in RECORDERS:
            name = f"{scenario}.{recorder}"
            got = workers(folder / name)
            if not got:
                continue
            codes = [d["code"] for d in got["diagnosis"]]
            want = TASKS.get(scenario, code) if "viztracer" in recorder else code
            # 200 tiny tasks are over before the pool is: it says so first.
            short = name == "tiny.viztracer.json.gz"
            check(f"{name}: diagnosis", codes[short:short + 1], [want])
            check(f"{name}: workers", got["metrics"]["workers"], 4)
            check_sums(name, got)


def ranks(folder):
    expected = json.loads((folder / "ddp2_allreduce.expected-ranks.json").read_text())
    got = workers(*(folder / rank["file"] for rank in expected["ranks"]))
    if not got:
        return
    check_sums("ranks", got)
    first = got["diagnosis"][0]
    slow = expected["compute"]["slowest_rank"]
    check("ranks: slow rank", first["worker"].split()[:2], ["rank", str(slow)])
    ratio = 1 + got["metrics"]["imbalance_percent"] / 100
    wanted = expected["compute"]["max_over_mean"]
    check("ranks: max over mean within 5 %", abs(ratio / wanted - 1) < .05, True)
    check("ranks: clocks", "collectives" in got["window"]["clock"], True)


def main():
    default = pathlib.Path(os.environ.get("srcdir", ".")) / "../shared/corpus"
    corpus = pathlib.Path(os.environ.get("PROFKIT_CORPUS", default))
    if not (corpus / "real/workers").is_dir():
        print(f"no corpus at {corpus}")
        return SKIP
    scenarios(corpus / "real/workers")
    ranks(corpus / "real/torch")
    got = workers(corpus / "peers/viztracer/example/json/multi_process_pool.json")
    if got:
        check("pool: diagnosis", got["diagnosis"][0]["code"], "startup")
        check("pool: workers", got["metrics"]["workers"], 5)
        check_sums("pool", got)
    print("\n".join(failures))
    print(f"{done} comparisons, {len(failures)} differ")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
