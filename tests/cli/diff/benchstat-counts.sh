# 1 to 60 values a side, some or all of them equal, and units and sizes of all kinds: the output of benchstat.
results() { # SEED FILE: values by a generator that gives the same everywhere
    awk -v seed="$1" 'function next_number() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
        BEGIN {
            print "goos: linux"
            n = split("1 2 3 4 5 6 7 9 12 20 21 22 23 24 25 26 27 28 29 30 31 40 50 51 60", count, " ")
            for (i = 1; i <= n; i++)
                for (k = 0; k < count[i] + (seed % 3 == 0); k++)
                    printf "BenchmarkN%d/k=%d-8 1 %.6g ns/op %d B/op %d.5 MB/s 3 allocs/op %.3g score\n", i, count[i],
                        exp(i - 3) * (1 + next_number()), 1 + 3 * next_number(), 900 * next_number(), next_number() - 0.5
        }' > "$2"
}
results 11 old.txt
results 4003 new.txt
results 77 third.txt
echo 'Unit allocs/op assume=exact' >> new.txt
profkit diff -q --like benchstat old.txt new.txt third.txt
profkit diff -q --like benchstat --format csv --alpha 0.2 --confidence 0.9 old.txt new.txt
