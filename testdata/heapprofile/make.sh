#!/bin/bash
# Makes the fixtures of this folder: node records one, the others are written out here.
set -e
cd "$(dirname "$0")"

# frame NAME URL LINE COLUMN
frame()
{
	printf '"callFrame":{"functionName":"%s","scriptId":"3","url":"%s","lineNumber":%s,"columnNumber":%s}' "$@"
}

# What comes in another order: samples before nodes, children before their frame; ids and samples that
# are none, of nodes that are not there; a size of the root itself.
cat >odd.heapprofile <<EOF
{"samples":[{"size":96,"nodeId":4,"ordinal":9},{"size":32,"nodeId":4,"ordinal":3},{"size":64,"nodeId":77,"ordinal":5},
 {"nodeId":4},{"size":16,"nodeId":1,"ordinal":1}],
 "head":{"children":[
  {"children":[{$(frame 'na\u00efve' b.js 2 0),"selfSize":128,"id":4}],"id":2,"selfSize":0,$(frame '' file:///srv/a.js 0 10)},
  {$(frame '(V8 API)' '' -1 -1),"selfSize":"many","id":5,"children":[]},
  {$(frame f b.js 8 3),"selfSize":8,"id":6,"children":[]},{$(frame f b.js 8 90),"selfSize":8,"id":7,"children":null}],
  $(frame '(root)' '' -1 -1),"id":1,"selfSize":16}}
EOF
# As Chrome 69 wrote it: without ids and samples.
cat >chrome.heapprofile <<EOF
{"head":{$(frame '(root)' '' -1 -1),"selfSize":0,"children":[{$(frame g https://example.org/a.js 4 2),"selfSize":40,"children":[]}]}}
EOF
echo '{"head":[],"samples":[]}' >bad/no-head.heapprofile

command -v node >/dev/null || exit 0
mkdir -p /tmp/app
cat >/tmp/app/work.js <<'EOF'
'use strict';

globalThis.kept = [];

function fill(size) {
    const list = new Array(size);
    for (let i = 0; i < size; i++)
        list[i] = {name: 'item ' + i, next: list[i - 1]};
    return list;
}

for (let i = 0; i < 20; i++)
    kept.push(fill(2000));
EOF
node --heap-prof --heap-prof-interval 200000 --heap-prof-dir . --heap-prof-name node.heapprofile /tmp/app/work.js
rm -r /tmp/app
