"""What the web tests share."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker, Settings
from tests.web.busy_boards import World
from tests.web.cast import Cast, make_cast
from tests.web.drawing import figures_left_out
from tests.web.kept_world import MAIL, KeptWorld, folder_of_this_run, keep_world, world_put_back
from tests.web.moving import past
from tests.web.viewing import viewed, viewed_snapshot

__all__ = ["past", "viewed", "viewed_snapshot"]


collect_ignore = ["settings.py", "real_settings.py"]  # loaded by Django, once; they hold no examples


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture(scope="session")
def kept_world(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> KeptWorld:
    with django_db_blocker.unblock():
        return keep_world(folder_of_this_run(tmp_path_factory))


@pytest.fixture(scope="module")
def world(
    kept_world: KeptWorld, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Iterator[World]:
    """Boards on which everything has happened; what a test does to them is undone."""
    folder, files = folder_of_this_run(tmp_path_factory), tmp_path_factory.mktemp("world") / "files"
    with django_db_blocker.unblock(), world_put_back(kept_world, folder, files):
        yield kept_world.world


@pytest.fixture(scope="session")
def kept_publication(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the published board lies that tests copy, once the first of them has made it."""
    return tmp_path_factory.mktemp("publication") / "site"


@pytest.fixture
def mail_server(settings: Settings) -> None:
    """The board as it is where a mail server is set; what it would send lies in ``mailoutbox``."""
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, mail=MAIL)
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.ACCOUNT_PREVENT_ENUMERATION = True
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False


@pytest.fixture(autouse=True)
def only_words_of_figures(request: pytest.FixtureRequest) -> Iterator[None]:
    """No figure is drawn but for tests that look at one, which are marked ``figures``."""
    is_looked_at = request.node.get_closest_marker("figures")
    with nullcontext() if is_looked_at else figures_left_out():
        yield
