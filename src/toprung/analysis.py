"""What does an analysis register? Its question, its function, what that needs, and where the answer is shown.

Command, figure, report, gallery and board read it. A place is ``"module:name"``, loaded when it is asked for: to know
which analyses there are costs no import of arrays or frames.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from toprung.records import record

type Place = str
"""``"module:name"``."""


def load(place: Place) -> Any:
    """What stands at a place.

    >>> load("toprung.errors:InputError").__name__
    'InputError'
    """
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


class Input(StrEnum):
    """What an analysis can be asked of: attributes of ``Material``, which command, report and board each make."""

    MATRIX = "matrix"
    """First ranks or scores, whichever the measure gives."""
    SCORES = "scores"
    RANKS = "ranks"
    COSTS = "costs"
    SYSTEMS = "systems"
    DATES = "dates"


@record(kw_only=True)
class Option:
    """An option of the function; its type and its default are those of the function's signature."""

    name: str
    help: str
    spelling: str = ""
    """On the command line, where it is not the name."""
    choices: Place = ""
    """Where its values are listed, if its type does not list them."""
    least: int | None = None
    is_share: bool = False
    """Whether it lies between 0 and 1, without both."""


ALPHA = Option(name="alpha", help="The level of the tests.", is_share=True)
WORKERS = Option(name="workers", help="")


def seed(of: str) -> Option:
    """``--seed``, which says what is drawn with it."""
    return Option(name="seed", help=f"Of {of}.", least=0)


def correction(of: str) -> Option:
    """``--correction``, which says what is corrected for."""
    return Option(name="correction", help=f"For {of}.", choices="toprung.stats.tests.corrections:CORRECTION_NAMES")


@record(kw_only=True)
class ProgressSaid:
    """What is said while the function works; it takes ``on_progress``."""

    doing: str
    steps: str
    """How often it is told: an option of that name, or the place of a function of the number of runs."""


@record(kw_only=True)
class FigureOf:
    """A figure of the result, and the command that draws it in the gallery."""

    kind: str
    shows: str
    draw: Place
    """A function ``draw(result) -> Figure | None``: None where nothing is to see."""
    example: str
    """What ``toprung plot KIND`` is given, in the gallery."""
    before: tuple[str, ...] = ()
    """Commands of the gallery that must have run."""
    place: int
    """Among all figures: the lower the earlier."""
    result: str = ""
    """The class it is drawn from, where that is not the analysis's own."""


@record(kw_only=True)
class Part:
    """A question of the report that the analysis answers."""

    key: str
    question: str
    place: int
    """In the report: the lower the earlier. What tells most comes first."""
    needs: tuple[str, ...] = ()
    """Functions of ``toprung.report.overview.needs``."""
    find: Place = ""
    """A function of the material, where the answer is not simply the function's, by the options of the report."""


@record(kw_only=True)
class OnBoards:
    """A hosted board computes it from its runs, and has a page of it."""

    least_runs: int = 2
    options: Mapping[str, object] = field(default_factory=dict)
    """Beside those of the board."""


@record(kw_only=True)
class Analysis:
    """One question: who answers it, and where the answer is shown."""

    key: str
    question: str
    help: str
    """Of the command: the whole where it is made of this, else its first paragraph."""
    answer: Place
    result: str
    """The name of the class that the answer is one of."""
    inputs: Mapping[str, Input] = field(default_factory=dict)
    """By the parameters of the function that take them."""
    options: tuple[Option, ...] = ()
    progress: ProgressSaid | None = None
    command: Place = ""
    """A Click command that has a way of reading of its own; without, one is made of inputs and options."""
    path: str = ""
    """What is typed for the command, where it is not the key."""
    figures: tuple[FigureOf, ...] = ()
    parts: tuple[Part, ...] = ()
    board: OnBoards | None = None
    in_public: Place = ""
    """What everyone may see of the result: ``in_public(result, release)``. Without, it is for organisers alone."""

    @property
    def command_path(self) -> str:
        return self.path or self.key

    def load_answer(self) -> Any:
        return load(self.answer)

    def load_command(self) -> Any:
        """The Click command: its own, or one that is made of what is registered."""
        return load(self.command) if self.command else load("toprung.cli.asked:make_command")(self)
