# A file in which nothing was recorded says so, and what can be done with it.
echo '{"traceEvents": []}' >empty.json
profkit empty.json
