# Some samples have times, others none: nothing is lost in formats that have samples one after the other.
for format in speedscope gecko; do
	profkit convert -q -m samples "$TESTDATA/otlp/everything.otlp" --to $format -o out.$format
	profkit hotspots -q --format csv out.$format | awk -F, 'NR > 1 { sum += $8 } END { print sum }'
done
