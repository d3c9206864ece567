#!/usr/bin/env python3
"""Prints a profile of gperftools with the code in its maps alone, and that in /srv/example: see record.sh."""
import re
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
at = re.search(rb"(?m)^[0-9a-f]+-[0-9a-f]+ [-r][-w]", data).start()
maps = [re.sub(rb" /\S*/", b" /srv/example/", line) for line in data[at:].splitlines() if b" r-xp " in line]
sys.stdout.buffer.write(data[:at] + b"\n".join(maps) + b"\n")
