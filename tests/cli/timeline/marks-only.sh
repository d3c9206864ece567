# Threads without spans have one row each for their marks.
{
	for thread in 1 2; do
		for at in 1 2 3; do
			echo "{\"ph\":\"i\",\"pid\":1,\"tid\":$thread,\"ts\":$at,\"name\":\"m$at\",\"s\":\"t\"}"
		done
	done
	echo '{"ph":"C","pid":1,"ts":2,"name":"c","args":{"value":1}}'
} | sed '1s/^/[/; $!s/$/,/; $s/$/]/' >marks.json
profkit timeline marks.json -o marks.svg
grep -o '<svg [^>]*' marks.svg | grep -o ' \(height\|viewBox\)="[^"]*"'
grep -c '<title>m[123]' marks.svg
