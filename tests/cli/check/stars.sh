# A star in the name of benchmarks stands for any text: where the rest of the pattern fits only further on, it is looked
# for there, from its begin: FbXc has a b and a c, and no bc.
bench() { # NS: five values of three benchmarks
	for name in FbXbc FbXbd FbXc; do
		for i in 1 2 3 4 5; do printf 'Benchmark%s 100 %d ns/op\n' $name $(($1 + i)); done
	done
}
bench 100 >before.txt
bench 200 >after.txt
for name in 'F*bc' 'F*X*d' 'F*c*'; do
	profkit check -q --baseline before.txt after.txt --fail "time($name)>5%" --format csv | cut -d, -f1-4 || echo "status $?"
done
