"""Benchmarks of the fixtures: see SOURCE."""
import time

import pytest


def clock(name):
    """A timer that makes times of its own, so that fixtures are the same when they are made again."""
    now, step = 0.0, sum(name.encode())

    def tick():
        nonlocal now, step
        step = step * 1103515245 + 12345 & 0x7FFFFFFF
        now += (100 + step % 40 + (900 if step % 13 == 0 else 0)) * 1.1e-7
        return now
    return tick


@pytest.fixture
def bench(benchmark, request):
    benchmark._timer = clock(request.node.name)
    return lambda function, *args, **kw: benchmark.pedantic(function, args, rounds=12, **kw)


@pytest.mark.benchmark(group="parse")
@pytest.mark.parametrize("text", ["a,b", "größe;ü"])
@pytest.mark.parametrize("n", [10, None])
def test_parse(bench, text, n):
    bench(text.split, ",", iterations=100)


class TestTree:
    def test_find(self, bench, benchmark):
        benchmark.extra_info["nodes"] = 7
        bench(sorted, [3, 1, 2], iterations=3)

    @pytest.mark.parametrize("group", ["old"])
    def test_insert(self, bench, group):
        bench([].append, 1)


def test_once(benchmark):
    benchmark._timer = clock("once")
    benchmark.pedantic(sum, ([1],), rounds=1)


def work(n):
    return work(n - 1) + 1 if n else 0


@pytest.mark.benchmark(group="parse")
def test_work(bench):
    bench(work, 5, iterations=2)
