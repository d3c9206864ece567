#!/bin/bash
# Makes the files of this folder: see SOURCE. Needs go; times differ from run to run.
set -e
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/words" "$work/lists"
cd "$work"
printf 'module example.org/bench\n\ngo 1.21\n' > go.mod
cat > words/words_test.go <<'GO'
package words

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

var slow = os.Getenv("SLOW") != ""
var sink string

func BenchmarkJoin(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			words := strings.Fields(strings.Repeat("word ", n))
			b.SetBytes(int64(5 * n))
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				if slow {
					sink = ""
					for _, w := range words {
						sink += w
					}
				} else {
					sink = strings.Join(words, " ")
				}
			}
			b.ReportMetric(float64(n), "words/op")
		})
	}
}

func BenchmarkUpper(b *testing.B) {
	b.Log("in capitals")
	for i := 0; i < b.N; i++ {
		sink = strings.ToUpper("a small text")
	}
}

func BenchmarkLatency(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = strings.ToLower("A SMALL TEXT")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1500, "p99-ns")
}

func BenchmarkSkipped(b *testing.B) { b.Skip("not today") }
GO
cat > lists/lists_test.go <<'GO'
package lists

import (
	"sort"
	"testing"
)

func BenchmarkSort(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sort.Ints([]int{3, 1, 2})
	}
}

func BenchmarkUpper(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
}
GO
run() { go test -run '^$' -bench . "$@" ./...; }
run -benchtime 2ms -count 6 > "$here/text.txt"
SLOW=1 run -benchtime 2ms -count 6 > "$here/slow.txt"
run -benchtime 1ms -count 2 -cpu 1,2 -v > "$here/verbose.txt"
run -benchtime 1ms -count 2 -json > "$here/events.jsonl"

# By hand: several configurations, a key that goes, units with properties, lines that are no results.
printf '%s\n' 'goos: linux' 'commit: a1' 'Unit words/op assume=exact' 'Unit score better=higher odd' 'Unit' \
	'BenchmarkEncode/no-op-2-2 100 5 ns/op 12 words/op' 'BenchmarkEncode/no-op-2-2 100 6 ns/op 12 words/op' \
	'commit: b2' 'note: second' 'BenchmarkEncode/no-op-2-2 200 4 ns/op 1.5e2 score' 'commit:' 'note:' \
	'BenchmarkEncode/no-op-2-2 200 4.5 ns/op' 'pkg: example.org/other' 'BenchmarkEncode/no-op-2-2 7 0 ns/op' \
	'BenchmarkTorn-2 12 3.5 ns' 'BenchmarkTorn-2 1x 3 ns/op' 'BenchmarkTorn-2 12' 'BenchmarkTorn-2 12 3' \
	'BenchmarkTorn-2 12 x ns/op' $'BenchmarkLog/n=3/kind=a-b\t1\t-2.5 delta/op\t1e400 far/op\r' 'commit is: no key' \
	'FAIL' 'exit status 1' > "$here/odd.txt"
# Events of two packages in turns, a result cut into several, the last event cut off.
printf '%s\n' '{"Action":"output","Package":"a","Output":"pkg: a\n"}' '{"Action":"output","Package":"b","Output":"pkg: b\n"}' \
	'{"Action":"output","Package":"a","Output":"BenchmarkA-2 \t"}' '{"Action":"output","Package":"b","Output":"BenchmarkB-2 \t10\t 2 ns/op\n"}' \
	'{"Action":"output","Package":"a","Output":"10\t 3 ns/op\n"}' '{"Action":"output","Package":"b","Output":"BenchmarkB-2 10 x ns/op\n"}' \
	'{"Action":"output","Package":"b","Out' > "$here/cut.jsonl"
mkdir -p "$here/bad"
printf '%s\n' 'goos: linux' 'goarch: amd64' 'pkg: example.org/none' 'PASS' > "$here/bad/no-results.txt"
printf '%s\n' '{"Action":"start","Package":"a"}' '{"Action":"output","Package":"a","Output":"ok\n"}' > "$here/bad/no-results.jsonl"
