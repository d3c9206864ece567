# Every kind of value that is wrong, and a value that is missing.
status 2 profkit info --format xml a
status 2 profkit info --max-memory lots a
status 2 profkit info --strict=perhaps a
status 2 profkit info a --run
status 2 profkit info a -f
profkit info --color sometimes a
