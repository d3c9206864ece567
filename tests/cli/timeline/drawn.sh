# Positions in a part of a trace: 100 us are 1,000 px, so that 0.1 us are 1 px or 0.1 %. Spans below 0.1 us are
# joined if at most 0.1 us is between them and the box is at most 0.3 us wide; marks if they are less than 0.1 us
# apart. What is deeper than three rows is counted below.
x() { echo "{\"ph\":\"X\",\"pid\":$1,\"tid\":$2,\"ts\":$3,\"dur\":$4,\"name\":\"$5\"${6+,\"cat\":\"$6\"}},"; }
mark() { echo "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":$1,\"name\":\"$2\",\"s\":\"t\"},"; }
count() { echo "{\"ph\":\"C\",\"pid\":$1,\"ts\":$2,\"name\":\"$3\",\"args\":{$4}},"; }
flow() { echo "{\"ph\":\"$1\",\"pid\":$2,\"tid\":$3,\"ts\":$4,\"id\":$5,\"name\":\"start\",\"cat\":\"start\",\"bp\":\"e\"},"; }
{
    echo '['
    x 1 1 0 50 before cpu
    x 1 1 100 100 outer cpu
    x 1 1 110 20 inner io
    x 1 1 112 6 deep io
    x 1 1 113 2 deeper cpu
    x 1 1 116 1 deeper cpu
    for at in 140 140.1 140.2 140.3; do x 1 1 $at 0.05 tick io; done # 3 and 1
    x 1 1 150 0.04 tick io
    x 1 1 150.05 0.09 tock cpu
    x 1 1 160 0.04 tick io
    x 1 1 160.05 0.04 tick io
    x 1 1 160.1 0.09 tock cpu
    x 1 1 165 0.09 tock cpu
    x 1 1 165.1 0.09 tick io # as long: the first has the name
    x 1 1 170 0.05 tick io
    x 1 1 170.151 0.05 tick io # too far
    x 1 1 175 0.05 tick io
    x 1 1 175.15 0.05 tick io # just near enough
    x 1 1 180 0.1 tick io # as wide as a pixel
    x 1 1 180.15 0.1 tick io
    x 2 9 121 40 kernel gpu
    x 2 9 170 30 long_name_that_is_too_long_for_its_box_in_the_picture
    x 2 8 125 10 copy gpu
    x 2 8 127 5 part gpu
    flow s 1 1 10 1 # before what is drawn
    flow f 2 9 123 1
    flow s 1 1 114 2 # of a span that is too deep
    flow f 2 8 129 2
    flow s 1 1 111 3
    flow f 2 9 122 3
    flow s 1 1 117.5 4
    flow f 2 8 128 4
    for at in 115 115.05 130 130.05 130.08 130.1; do mark $at "at $at"; done
    echo '{"ph":"i","pid":1,"ts":190,"name":"loose","s":"g"},'
    count 1 100 queue '"a":1,"b":2'
    count 1 150 queue '"a":4,"b":0'
    count 1 160 queue '"a":0,"b":1'
    count 1 160.03 queue '"a":2,"b":3'
    count 1 160.06 queue '"a":3,"b":1'
    count 1 130 change '"down":-3,"up":2'
    count 2 120 'bytes free' '"value":2048'
    count 2 170 load '"value":0.25'
    count 2 180 load '"value":0.125'
    echo '{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},'
    echo '{"ph":"M","pid":1,"name":"process_name","args":{"name":"app"}},'
    echo '{"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":5}},'
    echo '{"ph":"M","pid":2,"name":"process_sort_index","args":{"sort_index":3}},'
    echo '{"ph":"M","pid":2,"tid":8,"name":"thread_sort_index","args":{"sort_index":1}},'
    echo '{"ph":"M","pid":2,"tid":9,"name":"thread_sort_index","args":{"sort_index":2}}]'
} >trace.json
profkit timeline --time 100us..200us --color category --flows --depth 3 --width 1020 --title 'A & B' --subtitle part \
    --no-javascript trace.json | grep -v '^[.@]'
