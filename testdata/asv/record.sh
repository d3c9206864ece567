#!/bin/sh
# Records results/, plain.json and samples.json again: ./record.sh with asv 0.6 in PATH. (asv wants a git repository.)
set -e
here=$PWD
work=$(mktemp -d)
cd "$work"
export HOME=$work
git init -q -b main .
cat > asv.conf.json <<'JSON'
{"version": 1, "project": "words", "repo": ".", "branches": ["main"], "benchmark_dir": "benchmarks",
 "results_dir": "results", "environment_type": "existing"}
JSON
mkdir benchmarks
touch benchmarks/__init__.py
cat > benchmarks/words.py <<'PY'
class Words:
    params = ([10, 200], ["a", "größe"])
    param_names = ["n", "word"]

    def setup(self, n, word):
        if n == 200 and word == "a":
            raise NotImplementedError
        self.x = [word * (k % 5) for k in range(n)]

    def mem_list(self, n, word):
        return self.x

    def time_sort(self, n, word):
        sorted(self.x)

    def track_length(self, n, word):
        return len("".join(self.x))
    track_length.unit = "characters"


def peakmem_sum():
    sum(range(1000))


def time_fails():
    raise ValueError("no")


def time_sum():
    sum(range(1000))
PY
git add . && git -c user.name=x -c user.email=x commit -q -m words
run() {
    rm -rf results/box
    asv machine --yes --machine box --cpu generic --arch x86_64 --os Linux --num_cpu 2 --ram 8 > /dev/null
    asv run --machine box -E "existing:$(which python3)" --set-commit-hash "$(git rev-parse HEAD)" \
        -a rounds=1 -a repeat=4 -a sample_time=0.002 -a warmup_time=0 "$@" > /dev/null 2>&1 || true
}
keep() { # without the path of this Python
    sed "s,$(which python3),/usr/bin/python3,g; s/existing-py[^\"]*/existing-py_usr_bin_python3/g" \
        results/box/*-existing*.json > "$1"
}
run
keep "$here/plain.json"
run --record-samples
keep "$here/samples.json"
mkdir -p "$here/results/box"
cp results/benchmarks.json "$here/results/benchmarks.json"
keep "$here/results/box/result.json"
rm -rf "$work"
