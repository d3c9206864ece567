# "maybe slower" or "maybe faster" is said of the ratio, which may be without the speed of the machine.
for speed in 100 200; do
    for i in {0..15}; do echo "BenchmarkMachine 1 $speed.$((i * 7 % 10)) ns/op"; done >$speed.txt
    echo "BenchmarkWork 1 $((speed / 2 + 50)) ns/op" >>$speed.txt
done
profkit diff --calibrate Machine 100.txt 200.txt | tail -n 3
