# Samples of two events at different times: what the words of the page say of them is what the summary says.
for i in 1 2 3 4 5 6; do
	printf 'work 10/1%d [000] 1.%03d000: 1000 cycles:\n\t1204 f (/w)\n\n' $((i % 2)) $((i * 10))
	printf 'work 10/1%d [000] 1.%03d500: 10 instructions:\n\t1204 f (/w)\n\n' $((i % 2)) $((i * i * 20))
done >x.txt
for metric in cycles instructions; do
	profkit report -m $metric x.txt | grep -o '"sampling: [^"]*"'
	profkit -m $metric x.txt | grep '^sampling: '
done
