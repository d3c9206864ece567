#!/bin/bash
# Prints the settings of all tests, so that they are found once and not for each test:
# the folder of python3 itself, where the python3 of PATH is a script (pyenv's starts forty processes each time);
# a folder in memory for temporary files, because profkit waits until what it writes is on the disk.
python=$(python3 -ISc 'import os, sys; print(os.path.dirname(sys.executable))' 2>/dev/null)
if [ -n "$python" ] && ! [ "$python/python3" -ef "$(command -v python3)" ]; then
    echo "PATH='$python':\$PATH; export PATH"
fi

# Room for all tests, and programs in it may be run.
memory=/dev/shm kilobytes=4000000
if [ -z "$TMPDIR" ] && [ "$(df -Pk $memory 2>/dev/null | awk 'END { print $4 + 0 }')" -gt $kilobytes ] &&
    program=$(mktemp $memory/profkit.XXXXXX 2>/dev/null); then
    echo '#!/bin/sh' >"$program"
    chmod +x "$program"
    "$program" 2>/dev/null && echo "TMPDIR=$memory; export TMPDIR"
    rm -f "$program"
fi
