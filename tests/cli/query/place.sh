if profkit --version | grep -q -E 'SQLite 3\.([0-9]|[12][0-9]|3[0-7])\.'; then
	echo "SQLite says from 3.38 on where an error is"
	exit 77
fi
profkit query "$TESTDATA/example/before.prof" 'SELECT function,
       nope FROM function_cost'
