# A trace of py-spy has one span for several samples. Their number comes from the median time between changes, of two in the middle
# the shorter; it is known to an eighth of a power of two: 10 us are 10.24.
trace() { # US...: f and g in turn, and when each ends
    local at=0 name=f
    for until; do
        echo "{\"args\":{\"filename\":\"a.py\",\"line\":1},\"cat\":\"py-spy\",\"name\":\"$name\",\"ph\":\"B\",\"pid\":1,\"tid\":7,\"ts\":$at},"
        echo "{\"args\":{\"filename\":\"a.py\",\"line\":1},\"cat\":\"py-spy\",\"name\":\"$name\",\"ph\":\"E\",\"pid\":1,\"tid\":7,\"ts\":$until},"
        at=$until
        [ $name = f ] && name=g || name=f
    done
}
samples() {
    trace "$@" | sed '1s/^/[/; $s/,$/]/' >trace.json
    profkit workers -q --format csv trace.json | cut -d, -f 6,12
}
samples 10 20 50 80
samples 10 20 50 80 110
