# Threads of one name are one root of -O comm, whatever file they are in; other roots have each thread.
for pid in 10 20; do
	printf 'python %d/%d [000] 1.000000: 1 cycles:\n\t1 f (a.py)\n\n' $pid $pid $pid $((pid + 1)) >$pid.txt
	printf 'sh 7/7 [000] 1.000000: 1 cycles:\n\t1 f (a.py)\n\n' >>$pid.txt
done
for root in comm pid tid; do
	profkit merge -q --to folded -O $root -o - 10.txt 20.txt
done
