"""Google Benchmark from Python: parameters, counters, rates, complexity, a failure."""
import google_benchmark as benchmark
from google_benchmark import Counter


@benchmark.register
@benchmark.option.range(8, 512)
@benchmark.option.range_multiplier(8)
@benchmark.option.complexity(benchmark.oN)
def join(state):
    words = ["word"] * state.range(0)
    while state:
        " ".join(words)
    state.complexity_n = state.range(0)


@benchmark.register
@benchmark.option.args_product([[10], [1, 2]])
@benchmark.option.arg_names(["n", "step"])
@benchmark.option.unit(benchmark.kMicrosecond)
def slices(state):
    x = list(range(1000 * state.range(0)))
    while state:
        x[:: state.range(1)]
    state.bytes_processed = state.iterations * 8 * len(x)
    state.set_label("every %d" % state.range(1))


@benchmark.register
def counters(state):
    calls = 0
    while state:
        calls += 1
    state.counters["size"] = 42
    state.counters["rate"] = Counter(calls, Counter.kIsRate)


@benchmark.register
def broken(state):
    state.skip_with_error('no "input"')
    while state:
        pass


if __name__ == "__main__":
    benchmark.main()
