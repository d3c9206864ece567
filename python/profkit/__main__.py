"""python -m profkit: the program itself."""
import os
import sys

from ._binary import Error, find_binary

try:
    path = find_binary()
    os.execv(path, [path, *sys.argv[1:]])
except (Error, OSError) as error:
    sys.exit(f"profkit: {error}")
