# Rows and columns by keys, as benchstat -row and -col have them.
# Compared with benchstat of golang.org/x/perf 2026-09-08: the tables and CSV are the same.
{
    echo 'goos: linux'
    for n in 16 256; do
        for procs in '' -2 -4; do
            for run in 1 2 3 4 5 6; do
                echo "BenchmarkSort/n=$n/kind=a$procs 1 $((n * 10 + run + ${#procs} * 7)).5 ns/op $n B/op"
            done
        done
    done
    echo 'BenchmarkHash-2 1 77 ns/op'
} >go.txt
profkit diff --like benchstat --column /gomaxprocs go.txt -m time
echo == a part within
profkit diff --like benchstat --column /n go.txt
echo == CSV
profkit diff -q --like benchstat --column /kind --format csv -m time go.txt
echo == rows and columns by name
profkit diff --like benchstat --row /n --column .name -m time go.txt
echo == by file and by configuration, several benchmarks in a cell
sed 's/goos: linux/&\npkg: b/' go.txt >other.txt
sed 's/goos: linux/&\npkg: a/' go.txt >one.txt
profkit diff --like benchstat --row .name --column pkg -m time one.txt other.txt
profkit diff --like benchstat --row .file --column /gomaxprocs --match Sort -m time one.txt other.txt
echo == mistakes
status 2 profkit diff --like benchstat --column n go.txt
status 2 profkit diff --like benchstat --row .n go.txt
status 2 profkit diff --like benchstat --row .name,/n go.txt
status 2 profkit diff --column /n go.txt go.txt
status 2 profkit diff --row /n go.txt go.txt
status 2 profkit diff --like pyperf-table --column /n go.txt go.txt
awk 'BEGIN { for (i = 0; i < 101; i++) print "BenchmarkA/n=" i " 1 5 ns/op" }' >many.txt
status 2 profkit diff --like benchstat --column /n many.txt
