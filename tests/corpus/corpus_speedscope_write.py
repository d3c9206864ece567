#!/usr/bin/env python3
"""What is written for speedscope, as tests/writers/speedscope.py asks of the fixtures, of the profiles of the corpus.

Skipped where there is no corpus (PROFKIT_CORPUS, or ../shared/corpus beside the source folder).
"""
import os
import pathlib
import sys

from corpus import corpus

if not corpus().is_dir():
    print("skipped: no corpus")
    sys.exit(77)
test = pathlib.Path(__file__).parent.parent / "writers" / "speedscope.py"
os.execv(sys.executable, [sys.executable, str(test), str(corpus())])
