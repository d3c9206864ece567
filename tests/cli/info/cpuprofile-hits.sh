# Numbers of hits that differ from those of the samples are said even if their sums are equal, and one
# node is no plural.
frame='"functionName": "%s", "scriptId": "1", "url": "a.js", "lineNumber": 1, "columnNumber": 0'
# shellcheck disable=SC2059
make() {
    printf '{"nodes": [{"id": 1, "callFrame": {'"$frame"'}, "hitCount": 0, "children": [2, 3]},\n' '(root)'
    printf '{"id": 2, "callFrame": {'"$frame"'}, "hitCount": %s},\n' f "$1"
    printf '{"id": 3, "callFrame": {'"$frame"'}, "hitCount": %s}],\n' g "$2"
    echo '"startTime": 0, "endTime": 3000, "samples": [2, 3, 3], "timeDeltas": [0, 1000, 1000]}'
}
make 1 2 >equal.cpuprofile
make 2 1 >sum.cpuprofile
make 1 3 >one.cpuprofile
for f in equal sum one; do
    profkit info $f.cpuprofile | grep -e '^file ' -e hitCount
done
