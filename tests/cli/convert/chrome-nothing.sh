# A profile without costs and spans has no events.
printf '{"traceEvents": []}' > empty.json
profkit convert empty.json --to chrome -o -
