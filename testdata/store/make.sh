#!/bin/sh
# Makes the fixtures again; profkit is the program to make them with.
cd "$(dirname "$0")" || exit 1
${PROFKIT:-profkit} convert -q ../pstats/cprofile-py313.prof ../folded/fractions.folded -o two-runs.db
# Small pages, so that a test that breaks every part of the file takes less time.
sqlite3 two-runs.db 'PRAGMA page_size = 512; VACUUM'
