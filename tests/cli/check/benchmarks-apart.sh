# Benchmarks of one side only are reported: renamed (a guess), new, gone; so is a metric of one side.
go() {
    printf 'goos: linux\n'
    for name in "$@"; do
        for i in 1 2 3 4 5 6 7 8; do echo "Benchmark$name 1 $((1000 * ${#name} + i)) ns/op"; done
    done
}
go Parse ParseFile Join Hash >before.txt
go Parse ParseAFile Join Index >after.txt
profkit check -b before.txt after.txt
echo == none on both sides
profkit check -b before.txt after.txt --fail 'time(Hash)>3%' --format csv
echo == gone and new without a like one
go Parse >one.txt
profkit check -b before.txt one.txt
profkit check -b one.txt before.txt --format csv
echo == a metric of one side
sed 's/ns.op/MB\/s/; s/$/ 7 words\/op/' before.txt >rate.txt
sed 's/$/ 7 words\/op/' before.txt >time.txt
profkit check -b time.txt rate.txt
profkit diff time.txt rate.txt
status 2 profkit check -b time.txt rate.txt --fail 'time>3%'
status 2 profkit check -b before.txt rate.txt
