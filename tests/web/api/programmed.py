"""Boards full of everything, and a program of everybody who may come to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from django.db import transaction
from tests.web.api.asking import programs_of
from tests.web.api.calling import Program
from tests.web.api.matrix import make_files
from tests.web.busy_boards import World, make_world

from toprung.report.charts.figure import Figure
from toprung.web.boards import results


@dataclass(frozen=True, kw_only=True)
class Programmed:
    """The world, and a program of everybody."""

    world: World
    programs: dict[str, Program]


@contextmanager
def programmed_world(releases: Sequence[str], *, has_closed: bool, most_compared: int) -> Iterator[Programmed]:
    """Made once for the tests of a module; what they do to it is undone."""
    with transaction.atomic():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Figure, "to_inline_svg", lambda _: "<svg></svg>")  # no answer has a drawing in it
            patch.setattr(results, "MOST_COMPARED", most_compared)  # the others are made when somebody asks
            world = make_world(releases, has_closed=has_closed)
        for busy in world.boards.values():
            make_files(world, busy)
        yield Programmed(world=world, programs=programs_of(world))
        transaction.set_rollback(True)
