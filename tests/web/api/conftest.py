"""What the tests of the API share."""

from __future__ import annotations

import pytest
from pytest_django import DjangoDbBlocker
from tests.web.api.asking import programs_of
from tests.web.api.matrix import make_files
from tests.web.api.programmed import Programmed
from tests.web.busy_boards import World


@pytest.fixture(scope="module")
def programmed(world: World, django_db_blocker: DjangoDbBlocker) -> Programmed:
    """Boards full of everything, files on their way to them, and a program of everybody who may come."""
    with django_db_blocker.unblock():
        for busy in world.boards.values():
            make_files(world, busy)
        return Programmed(world=world, programs=programs_of(world))
