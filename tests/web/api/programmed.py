"""Boards full of everything, and a program of everybody who may come to them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.web.api.calling import Program
from tests.web.busy_boards import World


@dataclass(frozen=True, kw_only=True)
class Programmed:
    """The world, and a program of everybody."""

    world: World
    programs: dict[str, Program]
