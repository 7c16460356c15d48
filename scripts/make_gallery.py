"""Draws docs/gallery: every kind of figure, on files of this repository, with the commands that made it.

The commands run in a folder of their own in which `docs` and `demo` are those of the repository, so each can be copied
and run at its root. A drawing is the same on every machine: a test draws it again and compares.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from glob import glob
from html import escape
from pathlib import Path
from typing import NamedTuple

from toprung.analyses.catalogue import all_figures
from toprung.cli.main import app

ROOT = Path(__file__).resolve().parents[1]
GALLERY = ROOT / "docs/gallery"


class Shown(NamedTuple):
    """A figure of the gallery: the command that draws it, without --output, and what must have run before."""

    command: str
    before: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.command.split()[2]


FIGURES = tuple(Shown(f"toprung plot {figure.kind} {figure.example}", figure.before) for _, figure in all_figures())


def main() -> None:
    GALLERY.mkdir(exist_ok=True)
    kept = {GALLERY / "README.md"}
    told = {}
    for shown in FIGURES:
        print(shown.command, file=sys.stderr)
        with working_folder() as folder:
            run_all(shown.before)
            kept.add(write(f"{shown.kind}.svg", draw(shown, folder / "figure.svg").decode()))
            told[shown.kind] = words_of(draw(shown, folder / "figure.json").decode())
    kept.add(write("words.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n"))
    write("README.md", to_page(told))
    for path in set(GALLERY.iterdir()) - kept:
        path.unlink()


def words_of(figure: str) -> dict[str, str]:
    """Title, finding and caption of a figure written as JSON."""
    told = json.loads(figure)
    return {name: told[name] for name in ("title", "finding", "caption")}


@contextlib.contextmanager
def working_folder() -> Iterator[Path]:
    """A folder to run commands in, with the files of the repository where they are at its root."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("docs", "demo"):
            (folder / part).symlink_to(ROOT / part)
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def run_all(commands: Sequence[str]) -> None:
    for command in commands:
        run(command)


def draw(shown: Shown, target: Path, options: str = "") -> bytes:
    run(f"{shown.command}{options} -o {shlex.quote(str(target))}")
    return target.read_bytes()


def run(command: str) -> None:
    """Run a command of Toprung in this process, with file patterns filled in as a shell does."""
    words = [found for word in shlex.split(command)[1:] for found in (sorted(glob(word)) if "*" in word else [word])]
    with contextlib.redirect_stdout(io.StringIO()):
        app.main(words, prog_name="toprung", standalone_mode=False)


def write(name: str, text: str) -> Path:
    path = GALLERY / name
    path.write_text(text, encoding="utf-8")
    return path


def to_page(told: Mapping[str, Mapping[str, str]]) -> str:
    """The page of the gallery."""
    shows = {figure.kind: figure.shows for _, figure in all_figures()}
    contents = [f"| [{shown.kind}](#{shown.kind}) | {shows[shown.kind]} |" for shown in FIGURES]
    parts = [_section(shown, told[shown.kind]) for shown in FIGURES]
    return "\n".join([HEAD, "| kind | shows |", "|---|---|", *contents, "", *parts])


def _section(shown: Shown, words: Mapping[str, str]) -> str:
    picture = f"{shown.kind}.svg"
    commands = "\n".join([*shown.before, f"{shown.command} -o {picture}"])
    return f"""## {shown.kind}

{words["title"]}. {words["finding"]}

```sh
{commands}
```

<img src="{picture}" alt="{escape(words["finding"])}">

{words["caption"]}
"""


HEAD = """\
# Gallery

Every figure that `toprung plot` draws, each with the commands that made it, which run as they stand at the root of the
repository. Change the ending of the file for PNG, PDF, a page, or data as CSV or JSON; `--dark` draws on dark paper.
[Figures for papers and notebooks](../howto/figures.md) says more.

Some are drawn from the [reconstruction](../../demo/README.md) of the runs in Lin et al. 2021, which is synthetic, the
others from a [leaderboard that is made up](../examples/board/make.py) so that every figure has something to show. This
page is written by `make gallery`.
"""


if __name__ == "__main__":
    main()
