# Pictures and binary files are not written to a terminal; text is.
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
in_terminal() {
    python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$PROFKIT" "$@" </dev/null
}
file=$TESTDATA/folded/one-frame.folded
status 2 in_terminal flamegraph "$file"
status 2 in_terminal callgraph --to svg "$file"
status 2 in_terminal timeline "$TESTDATA/example/shop.json"
status 2 in_terminal convert --to pstats "$file"
status 2 in_terminal convert --to store "$file" -
in_terminal convert --to folded "$file"
profkit flamegraph "$file" | grep -q '</svg>'
