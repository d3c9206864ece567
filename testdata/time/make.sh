#!/bin/sh
# Writes odd.txt, macos.txt, freebsd.txt and bad/, which no program printed: ./make.sh
printf '%s\r\n' 'real 1' 'user 2' 'user 3' 'sys 4' '' 'real	1m2,250s' 'user	0m0,05s' 'sys	0m0,000s' \
    '1.00user 0.50system 26:03:04elapsed ?%CPU (1avgtext+2avgdata 300maxresident)k' \
    '8inputs+16outputs (1major+2minor)pagefaults 3swaps' \
    '0.10user 0.20system 0:01.00elapsed 30%CPU (0avgtext+0avgdata 300maxresident)k' 'something else' \
    'Command terminated by signal 15' 'real 3.5' 'user 0.5' 'sys -1' \
    'text	Command being timed: "a' '' '	Elapsed' 'b"' '	User time (seconds): 0.27' \
    '	Percent of CPU this job got: ?%' '	Elapsed (wall clock) time (h:mm:ss or m:ss): 1:02:03' \
    '	Something new: 17' '	Exit status: 0' \
    '	Command being timed: "cut"' '	User time (seconds): 1.5' > odd.txt
printf 'real 1.5\nuser 0.5\n' > bad/cut.txt
printf '	Command being timed: "x"\n	User time (seconds): 1.5\n' > bad/cut-verbose.txt
# As the manual pages of macOS and FreeBSD have it: no such machine was at hand.
bsd() {
    printf '%12.2f real %12.2f user %12.2f sys\n' 1.69 0.06 0.02
}
lines() {
    while read -r count what; do
        printf '%20s  %s\n' "$count" "$what"
    done
}
{
    echo output
    bsd
    lines <<'END'
7012352 maximum resident set size
0 average shared memory size
0 average unshared data size
0 average unshared stack size
581 page reclaims
3 page faults
0 swaps
4 block input operations
5 block output operations
6 messages sent
7 messages received
1 signals received
21 voluntary context switches
12 involuntary context switches
48230197 instructions retired
21903114 cycles elapsed
1262016 peak memory footprint
END
    bsd
} > macos.txt
{
    bsd
    lines <<'END'
6848 maximum resident set size
4 average shared memory size
581 page reclaims
0 page faults
2 involuntary context switches
END
} > freebsd.txt
