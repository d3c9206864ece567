# Every kind of value that is wrong, and a value that is missing.
profkit info --format xml a
profkit info --max-memory lots a
profkit info --strict=perhaps a
profkit info a --run
profkit info a -f
profkit info --color sometimes a
