# Processes of one program with names of their own, as a browser's, do not share work; those of a pool do.
names() {
    printf '['
    for i in 1 2 3 4; do
        printf '{"name":"process_name","ph":"M","pid":%d,"tid":%d,"args":{"name":"%s"}},\n' $i $i "$1"
        printf '{"name":"work","ph":"X","pid":%d,"tid":%d,"ts":0,"dur":%d},\n' $i $i $((i * i * 1000))
        shift
    done
    printf '{}]\n'
}
names Browser GPU Renderer-1 Renderer-2 >browser.json
profkit workers -q browser.json
profkit -q browser.json | head -n 2
names Pool-1 Pool-2 Pool-3 Pool-4 >pool.json
profkit workers -q --format csv pool.json
profkit workers -q pool.json | grep -A 1 :
