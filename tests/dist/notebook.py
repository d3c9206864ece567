#!/usr/bin/env python3
"""docs/notebook.ipynb, executed by nbclient: no cell fails, and the notebook that was saved has its pictures, whole and
shut in, when it is opened again. Skipped where nbclient and ipykernel are not installed."""
import html
import os
import re
import sys
import tempfile

try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
except ImportError:
    print("skipped: python3 has no nbclient and ipykernel")
    sys.exit(77)

from steps import expect, failed

ROOT = os.path.abspath(os.environ.get("srcdir", "."))
os.environ["PROFKIT_BINARY"] = os.path.realpath(os.environ["PROFKIT"])
os.environ["PYTHONPATH"] = os.pathsep.join([os.path.join(ROOT, "python"), *filter(None, [os.environ.get("PYTHONPATH")])])


def executed(folder):
    notebook = nbformat.read(os.path.join(ROOT, "docs", "notebook.ipynb"), as_version=4)
    os.environ.update(HOME=folder, IPYTHONDIR=folder, JUPYTER_RUNTIME_DIR=folder)
    nbclient.NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": folder}}).execute()
    nbformat.write(notebook, os.path.join(folder, "saved.ipynb"))
    return nbformat.read(os.path.join(folder, "saved.ipynb"), as_version=4)


with tempfile.TemporaryDirectory() as work:
    shown = {}
    for cell in executed(work).cells:
        for output in cell.get("outputs", []):
            expect(f"{cell.source}: {output}", output.output_type != "error")
            shown[cell.source] = output.get("data", {}).get("text/html", "")
pictures = {source: html.unescape(found[1]) for source, text in shown.items()
            if (found := re.match(r'<iframe sandbox="allow-scripts" [^>]*srcdoc="([^"]*)"></iframe>', text))}
for command, end in (("flamegraph", "</svg>\n</body></html>"), ("callgraph", "</svg>\n</body></html>"), ("report", "</html>\n")):
    page = next((page for source, page in pictures.items() if command in source), "")
    expect(f"{command}: {page[-100:]}", page.endswith(end) and "price_of" in page)
tables = [text for text in shown.values() if text.startswith("<table>")]
expect(f"tables: {tables}", len(tables) == 2 and all("&lt;genexpr&gt;" in text for text in tables))
sys.exit(1 if failed else 0)
