# Configurations of Go's benchmarks have limits: 64 keys, 4096 bytes.
for i in $(seq 70); do
    printf 'key%d: v\nBenchmarkA 1 5 ns/op\nkey%d:\n' "$i" "$i"
done > keys.txt
printf 'note: %05000d\nBenchmarkA 1 5 ns/op\n' 7 > long.txt
profkit info keys.txt | grep -c '^key'
profkit info long.txt | grep -c '^note' || true
