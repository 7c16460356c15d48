"""Draws docs/gallery: every kind of figure, on files of this repository, with the commands that made it.

The commands run in a folder of their own in which `docs` and `demo` are those of the repository, so each can be copied
and run at its root. Beside each picture lies its Vega-Lite specification: what is drawn, whichever fonts a machine has.
A test draws the specifications again and compares.
"""

from __future__ import annotations

import contextlib
import hashlib
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
from typing import Any, NamedTuple

from toprung.analyses.catalogue import all_figures
from toprung.cli.main import app

ROOT = Path(__file__).resolve().parents[1]
GALLERY = ROOT / "docs/gallery"
LIGHT, DARK = "{name}.svg", "{name}-dark.svg"


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
    specs = {}
    for shown in FIGURES:
        print(shown.command, file=sys.stderr)
        with working_folder() as folder:
            run_all(shown.before)
            spec = draw(shown, folder / "figure.json").decode()
            digest = digest_of(spec)
            for name, options in ((LIGHT, ""), (DARK, " --dark")):
                svg = draw(shown, folder / "figure.svg", options).decode()
                kept.add(write(name.format(name=shown.kind), sign(svg, digest)))
        kept.add(write(f"{shown.kind}.json", spec))
        specs[shown.kind] = json.loads(spec)
    write("README.md", to_page(specs))
    for path in set(GALLERY.iterdir()) - kept:
        path.unlink()


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


def digest_of(spec: str) -> str:
    return hashlib.sha256(spec.encode()).hexdigest()


def sign(svg: str, digest: str) -> str:
    """Says in the picture from which specification it was drawn, so that the two cannot part unseen."""
    return f"{svg.rstrip()}\n<!-- drawn from the specification {digest} -->\n"


def write(name: str, text: str) -> Path:
    path = GALLERY / name
    path.write_text(text, encoding="utf-8")
    return path


def to_page(specs: Mapping[str, Mapping[str, Any]]) -> str:
    """The page of the gallery."""
    shows = {figure.kind: figure.shows for _, figure in all_figures()}
    contents = [f"| [{shown.kind}](#{shown.kind}) | {shows[shown.kind]} |" for shown in FIGURES]
    parts = [_section(shown, specs[shown.kind]) for shown in FIGURES]
    return "\n".join([HEAD, "| kind | shows |", "|---|---|", *contents, "", *parts])


def _section(shown: Shown, spec: Mapping[str, Any]) -> str:
    about, finding = spec["usermeta"], spec["description"]
    light, dark = LIGHT.format(name=shown.kind), DARK.format(name=shown.kind)
    commands = "\n".join([*shown.before, f"{shown.command} -o {light}"])
    in_dark = f'<source media="(prefers-color-scheme: dark)" srcset="{dark}">'
    return f"""## {shown.kind}

{about["title"]}. {finding}

```sh
{commands}
```

<picture>{in_dark}<img src="{light}" alt="{escape(finding)}"></picture>

{about["caption"]} [Vega-Lite]({shown.kind}.json)
"""


HEAD = """\
# Gallery

Every figure that `toprung plot` draws, each with the commands that made it, which run as they stand at the root of the
repository. Change the ending of the file for PNG, PDF, an interactive page or Vega-Lite; `--dark` draws on dark paper.
[Figures for papers and notebooks](../howto/figures.md) says more.

Some are drawn from the [reconstruction](../../demo/README.md) of the runs in Lin et al. 2021, which is synthetic, the
others from a [leaderboard that is made up](../examples/board/make.py) so that every figure has something to show. This
page is written by `make gallery`.
"""


if __name__ == "__main__":
    main()
