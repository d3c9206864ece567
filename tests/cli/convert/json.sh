printf 'main;work 3\nmain;work;len 2\nmain 1\n' >a.folded
profkit convert a.folded --to json -
# What the tables hold for profiles of callers, first rows.
profkit convert "$TESTDATA/example/before.prof" --to json - | grep -A 4 '"edge"\|"metric": {'
