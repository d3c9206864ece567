# Metrics without values: no stacks are written.
printf '{"traceEvents": []}' > empty.json
profkit convert -q empty.json --to folded -o -
profkit convert -q empty.json --to py-spy -o -
