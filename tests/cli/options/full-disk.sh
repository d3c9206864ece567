# An output that cannot be written is an error; a reader that closed the pipe is not.
cd "$TESTDATA/example" || exit
profkit --help >/dev/full || echo $?
profkit help info >/dev/full || echo $?
profkit info before.prof >/dev/full || echo $?
profkit convert --to dot before.prof - >/dev/full || echo $?
(profkit hotspots before.prof -n 0; echo $? >&2) | head -n 1 | cut -c 1-20
