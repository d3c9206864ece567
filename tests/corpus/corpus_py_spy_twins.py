#!/usr/bin/env python3
"""Real runs in two formats have the same functions, as tests/readers/py_spy_twins.py asks of runs that are made up.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import os
import pathlib
import sys

from corpus import corpus

if not corpus().is_dir():
    print("skipped: no corpus")
    sys.exit(77)
test = pathlib.Path(__file__).parent.parent / "readers" / "py_spy_twins.py"
os.execv(sys.executable, [sys.executable, str(test), str(corpus())])
