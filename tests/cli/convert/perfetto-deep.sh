# Up to 16 nested lists of an argument are lists in the file; deeper ones are the text of their JSON.
lists() { # COUNT
	printf '%*s' "$1" '' | tr ' ' '['
	printf '1'
	printf '%*s' "$1" '' | tr ' ' ']'
}
for count in 16 17 18; do
	echo "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":9,\"name\":\"a\",\"args\":{\"deep\":$(lists $count)}}]" >trace.json
	profkit convert -q trace.json --to perfetto -o - | profkit query -q - --format csv 'SELECT value FROM argument'
done
