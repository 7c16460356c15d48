"""What does the demo need to know of a board? How its files are built, what stands on it, and what was planted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toprung.data.run_metadata import Metadata

FOLDER = Path(__file__).parents[1] / "boards"
DONE = "built"
"""An empty file that says that all others are there."""


@dataclass(frozen=True, kw_only=True)
class Planted:
    """What the runs were made for, and the board should find: their names, in any order."""

    may_be_best: frozenset[str]
    proved: tuple[str, ...]
    """In the order in which they came."""


@dataclass(frozen=True, kw_only=True)
class DemoBoard:
    """A board of the demo: ``slug.toml`` describes it."""

    slug: str
    build: Callable[[Path], None]
    """Writes labels, and runs into the folder ``runs``."""
    known: Callable[[], Metadata]
    planted: Planted
    files: tuple[tuple[str, str], ...] = ()
    """What participants may have: kind and name of a file."""
    new_labels: str = ""
    """The file of the next version of the official labels, if there is one."""

    @property
    def described(self) -> Path:
        return FOLDER / f"{self.slug}.toml"

    def build_in(self, folder: Path) -> Path:
        """The folder with its files, built unless they are there; what an older demo built may lack one."""
        mine = folder / self.slug
        if not all((mine / name).exists() for name in (DONE, *(name for _, name in self.files))):
            (mine / "runs").mkdir(parents=True, exist_ok=True)
            self.build(mine)
            (mine / DONE).touch()
        return mine
