#!/bin/bash
# Makes the fixtures of this folder: node records one, make.py writes out the others.
set -e
cd "$(dirname "$0")"
python3 make.py
command -v node >/dev/null || exit 0
mkdir -p /tmp/app
cat >/tmp/app/work.js <<'EOF'
'use strict';

function parse(text) {
    let sum = 0;
    for (const word of text.split(' '))
        sum += JSON.parse(word);
    const words = text.split(' ').sort();
    return sum + words.length;
}

const fib = n => n < 2 ? n : fib(n - 1) + fib(n - 2);

function main() {
    const text = Array.from({length: 4000}, (_, i) => i * 7919 % 1000).join(' ');
    let sum = 0;
    for (let i = 0; i < 40; i++)
        sum += parse(text) + fib(19) + [3, 1, 2].map(x => fib(x + 15)).length;
    return sum;
}

main();
EOF
node --cpu-prof --cpu-prof-interval 3000 --cpu-prof-dir . --cpu-prof-name node.cpuprofile /tmp/app/work.js
rm -r /tmp/app
