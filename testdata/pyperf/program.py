"""Benchmarks that pyperf runs: of seconds with inner loops, of a text and of a number."""
import pyperf


def split(loops):
    text = ",".join(map(str, range(100)))
    start = pyperf.perf_counter()
    for _ in range(loops):
        text.split(",")
        text.split("9")
    return pyperf.perf_counter() - start


runner = pyperf.Runner(processes=3, values=3, warmups=1)
runner.parse_args()
runner.bench_time_func("split", split, inner_loops=2)
runner.timeit("join", "','.join(parts)", setup="parts = list(map(str, range(100)))")
runner.bench_func("sum", sum, range(1000), metadata={"tags": ["numbers", "fast"]})
