"""Builds the docs site: ``make docs``. Every warning is an error, and so is a link that leads nowhere."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from docs.site.dead_links import find_dead_links
from docs.site.pages import ROOT
from docs.site.stage import stage
from sphinx.cmd.build import build_main


def main() -> None:
    asked = read_arguments()
    sys.exit(make(asked.board, asked.output.absolute(), asked.work.absolute()))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board", type=Path, help="a board that toprung publish wrote, to stand beside the pages")
    parser.add_argument("--output", type=Path, default=Path("build/docs"))
    parser.add_argument("--work", type=Path, default=Path("build/docs-work"), help="for what is made on the way")
    return parser.parse_args()


def make(board: Path, output: Path, work: Path) -> int:
    """The site, in the place of an earlier one; not 0 if it has faults, which are printed."""
    stage(work / "source")
    copy_pictures(work / "source", work / "extra")
    shutil.copytree(board, work / "extra/board")
    if (output / ".buildinfo").exists():
        shutil.rmtree(output)
    built = build(work, output)
    dead = find_dead_links(output) if built == 0 else []
    for link in dead:
        print(f"Found a link that leads nowhere: {link}", file=sys.stderr)
    if built == 0 and not dead:
        print(f"Open {output / 'index.html'}")
    return built or bool(dead)


def copy_pictures(source: Path, extra: Path) -> None:
    """Those that a page names in HTML, which Sphinx does not look at."""
    shutil.rmtree(extra, ignore_errors=True)
    for picture in source.rglob("*.svg"):
        there = extra / picture.relative_to(source)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, there)


def build(work: Path, output: Path) -> int:
    """What Sphinx does; 0 if there was not even a warning."""
    where = ["--conf-dir", str(ROOT / "docs/site"), "--doctree-dir", str(work / "doctrees")]
    how = ["--builder", "html", "--fail-on-warning", "--quiet", "--define", f"html_extra_path={work / 'extra'}"]
    return build_main([*how, *where, str(work / "source"), str(output)])


if __name__ == "__main__":
    main()
