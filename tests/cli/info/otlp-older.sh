# Layouts of OpenTelemetry's profiles before 1.10, in which the same numbers are other fields.
cp "$TESTDATA"/otlp/bad/older*.otlp .
for file in older*.otlp; do
	status 2 profkit info "$file"
done
