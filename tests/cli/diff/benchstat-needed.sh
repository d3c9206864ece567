# How many values an interval needs is looked for up to 50: above, benchstat says so.
printf 'BenchmarkA 1 %d ns/op\n' 5 6 >go.txt
for confidence in 0.95 0.9999999999945 0.999999999999; do
    profkit diff -q --like benchstat --confidence $confidence go.txt | grep need
done
# Of values said to be exact, the one that is there most often.
{
    echo 'Unit allocs/op assume=exact'
    printf 'BenchmarkA 1 5 ns/op %d allocs/op\n' 3 4 4 4 7 7 9
} >exact.txt
profkit diff -q --like benchstat -m allocs exact.txt
