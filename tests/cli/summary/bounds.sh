# What bounds a program, of the numbers of time -v. The lines that are not given are 0 in all of them.
verbose() { # NAME USER SYSTEM ELAPSED MAXRSS MAJOR MINOR VOLUNTARY INVOLUNTARY
    printf '\tCommand being timed: "%s"\n\tUser time (seconds): %s\n\tSystem time (seconds): %s\n' "${@:1:3}"
    printf '\tElapsed (wall clock) time (h:mm:ss or m:ss): %s\n\tMaximum resident set size (kbytes): %s\n' "${@:4:2}"
    printf '\tMajor (requiring I/O) page faults: %s\n\tMinor (reclaiming a frame) page faults: %s\n' "${@:6:2}"
    printf '\tVoluntary context switches: %s\n\tInvoluntary context switches: %s\n\tSwaps: 0\n\tExit status: 0\n' "${@:8:2}"
}
look() {
    verbose "${@:1:9}" > x.txt
    echo "$1: $(profkit x.txt "${@:10}" | sed '1d; /^$/,$d')"
}
look 'one core'       9.50 0.30 0:10.00 17408 0 3055 2 400
look 'all cores'      36 2 0:10.00 17408 0 3055 2 400 -O cpus=4
look 'some cores'     12 1 0:10.00 17408 0 3055 500 4000 -O cpus=8
look 'waits'          0.50 0.25 1:02:03 8192 0 1000 73211 12
look 'sleeps'         0.50 0.05 0:30.00 8192 0 1000 1 3
look 'preempted'      0.27 0.00 0:04.90 12864 0 1873 1 101
look 'threads'        0.79 0.65 0:00.92 15764 0 148941 13168 3996
look 'a tenth'        0.79 0.65 0:00.92 15764 0 148941 400 4000
look 'paging'         2.00 0.40 0:20.00 8388608 15000 90000 15100 20
look 'short'          0.04 0.00 0:00.05 8192 0 1000 1 0
look 'nothing'        0.00 0.00 0:00.00 8192 0 1000 1 0
profkit "$TESTDATA/time/runs.txt" | sed -n 2,3p
profkit "$TESTDATA/time/killed.txt" | sed -n 2,3p
profkit "$TESTDATA/hyperfine/two.json" | sed -n 2,3p
profkit "$TESTDATA/hyperfine/failing.json" | sed -n 2,3p
