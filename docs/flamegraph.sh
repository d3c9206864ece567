#!/bin/sh
# Makes flamegraph.svg, the picture in the README: python's pydoc writing pages about twelve
# modules, sampled every millisecond. --again takes new samples; they differ at every run.
#
# usage: docs/flamegraph.sh [--again]        with profkit in PATH
set -e
cd "$(dirname "$0")"
if [ "$1" = --again ]; then
    work=$(mktemp -d)
    cat >"$work/pages.py" <<'END'
import pydoc

for name in ("email", "asyncio", "http.server", "unittest.mock", "argparse", "xml.dom.minidom",
             "concurrent.futures", "logging.config", "decimal", "multiprocessing", "ssl",
             "tarfile"):
    thing, _ = pydoc.resolve(name)
    pydoc.html.page(name, pydoc.html.document(thing, name))
END
    python3 ../testdata/example/sample.py "$work/pages.py" | gzip -9n >flamegraph.folded.gz
    rm -r "$work"
fi
profkit flamegraph --title 'pydoc writes pages' flamegraph.folded.gz -o flamegraph.svg
