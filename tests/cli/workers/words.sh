# What to do is said in words of Python only if the recording is one of Python.
two() { # FRAME
    for i in $(seq 10 89); do
        printf 'app 7/1 [000] 1.%s0000: 10000000 cpu-clock: \n\t%s\n\n' "$i" "$1"
        [ "$i" -gt 50 ] || printf 'app 7/2 [000] 1.%s0000: 10000000 cpu-clock: \n\t%s\n\n' "$i" "$1"
    done
}
two '401136 work+0x16 (/srv/app)' >native.txt
profkit workers -q native.txt
two '401136 py::work:/srv/app.py+0x16 (/tmp/perf-7.map)' >python.txt
profkit workers -q python.txt | grep -A 9 :
