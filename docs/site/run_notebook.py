"""Runs the notebooks of the docs in a kernel of their own and stores what they show.

``python -m docs.site.run_notebook`` is the command. A notebook runs in its own folder, as it does when
somebody opens it there.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import nbformat
from docs.site.pages import ROOT, find_pages
from nbclient import NotebookClient

VERSION = 4
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
SECONDS = 120


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, help="a folder for what was run; by default the notebooks themselves")
    into: Path | None = parser.parse_args().into
    for page in find_pages():
        if page.suffix == ".ipynb":
            shown = run(ROOT / page)
            target = ROOT / page if into is None else into / page.name
            nbformat.write(shown, target)
            print(f"{page}: {len(shown.cells)} cells")


def run(path: Path) -> Any:
    """The notebook with what its cells show now, and without what differs from machine to machine."""
    notebook = nbformat.read(path, as_version=VERSION)
    NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(path.parent)}}).execute()
    notebook.metadata = nbformat.from_dict(KERNEL)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
    return notebook


if __name__ == "__main__":
    main()
