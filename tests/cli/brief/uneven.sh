# One of 30 calls took much longer: unusual where calls are recorded, and nothing to say where the spans are those
# between samples; nor where it is recursive, since the outermost call takes as long as all others.
trace() { # CATEGORY
	local at=0 i dur
	for i in {1..30}; do
		dur=$((i == 20 ? 200000 : 1000))
		echo "{\"args\":{\"filename\":\"a.py\",\"line\":1},\"cat\":\"$1\",\"name\":\"work\",\"ph\":\"B\",\"pid\":7,\"tid\":7,\"ts\":$at}"
		echo "{\"args\":{\"filename\":\"a.py\",\"line\":1},\"cat\":\"$1\",\"name\":\"work\",\"ph\":\"E\",\"pid\":7,\"tid\":7,\"ts\":$((at + dur))}"
		at=$((at + dur + 100))
	done | sed '1s/^/[/; $!s/$/,/; $s/$/]/'
}
trace function >recorded.json
trace py-spy >sampled.json
for file in recorded.json sampled.json; do
	profkit brief $file | sed -n '1p; /^unusual/,/^[a-z]*:$/p' | grep -v '^more\|^profkit'
done
{
	echo '[{"name":"fib","ph":"X","pid":7,"tid":7,"ts":0,"dur":300000}'
	for i in {1..30}; do echo ",{\"name\":\"fib\",\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":$((i * 2000)),\"dur\":1000}"; done
	echo ']'
} >recursive.json
profkit brief recursive.json | grep '^f1 '
