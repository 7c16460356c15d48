"""Data of each version that was kept comes to this version by one command, and says what it said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db.migrations.loader import MigrationLoader
from tests.web.own_database import SERVER
from tests.web.upgrades.make import MOVED, tell_effort
from tests.web.upgrades.servers import BACKUP, BOARD_TOML, BOARDS, EFFORT, KEPT, Kept, Server, unpack

pytestmark = pytest.mark.postgres
TELLING = "tests.web.upgrades.telling"
VERSIONS = sorted(path.name.removesuffix(".tar.xz") for path in KEPT.iterdir())


@pytest.fixture(scope="module", params=VERSIONS)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return unpack(request.param, tmp_path_factory.mktemp("kept"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "server")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def upgraded(kept: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """That of before, brought here by the real command; tests only ask it."""
    server = Server(tmp_path_factory.mktemp("upgraded") / "server")
    kept.put_into(server)
    server.run("migrate")
    yield server
    server.stop()


def compare(told: dict[str, Any], before: dict[str, Any], *, without: frozenset[str] = frozenset()) -> None:
    from tests.web.upgrades.telling import facts_of

    for address, (status, answer) in before.items():
        assert told[address][0] == status, address
        assert facts_of(told[address][1], without=without) == facts_of(answer, without=without), address


def tell(server: Server, kept: Kept) -> Any:
    return server.call("tell", of=TELLING, boards=BOARDS, tokens=kept.told["secrets"]["tokens"])


def test_boards_say_what_they_said(kept: Kept, upgraded: Server) -> None:
    before = kept.told["server"]
    claims = before["organiser /api/v1/boards/web-docs/claims"][1]["items"]
    assert [each["outcome"] for each in claims] == ["not passed", "passed", "voided"]
    compare(tell(upgraded, kept), before)


def test_a_second_time_there_is_nothing_to_do(upgraded: Server) -> None:
    assert upgraded.run("migrate") == "Everything was up to date.\n"
    assert upgraded.run("migrate", "--check") == "Everything is up to date.\n"


def test_people_come_in_as_before_and_pages_open(kept: Kept, upgraded: Server) -> None:
    secrets = kept.told["secrets"]
    said = upgraded.call("come_back", of=TELLING, sessions=secrets["sessions"], link=secrets["links"]["mate"])
    assert said["signed in"] == 302
    assert said["accounts"] == [200, 200]
    # An open login link of the first tables may be an organiser's: it ends with the upgrade.
    assert said["by link"] == (302 if kept.version == "0001_initial" else 200)
    assert set(said["pages"].values()) == {200}, said["pages"]


def test_what_waited_is_done_and_new_runs_are_scored(kept: Kept, server: Server) -> None:
    """Ranks by hand: see `tests.web.versions`, and `go_on` for those of the new run, which are 1 on every query."""
    kept.put_into(server)
    server.run("migrate")
    said = server.call("go_on", of=TELLING)
    assert said["waited"] == ["done", 0.75]
    assert said["unchecked"] == "accepted"
    assert said["new"] == ["R8", "done", 1.0]
    assert said["breaks"] == [None] * 4


def test_a_backup_of_before_comes_back_and_is_brought_here(kept: Kept, server: Server, tmp_path: Path) -> None:
    """On PostgreSQL one is made of the older tables, for its own programs pack it as their version does."""
    backup = kept.folder / BACKUP
    if SERVER:
        older = Server(tmp_path / "older")
        kept.put_into(older)
        backup = tmp_path / "older.tar"
        older.run("backup", backup)
        older.stop()
    server.run("restore", backup)
    server.run("migrate")
    compare(tell(server, kept), kept.told["server"])


def test_bundles_of_before_are_imported(kept: Kept, server: Server) -> None:
    server.run("migrate")
    for board in MOVED:
        assert "is whole" in server.run("verify", kept.folder / f"{board}.toprung")
        server.run("import", kept.folder / f"{board}.toprung")
    tokens = {"organiser": server.call("make_organiser_token", of=TELLING)}
    told = server.call("tell", of=TELLING, boards=MOVED, tokens=tokens)
    audits = {address for address in told if address.endswith("/audit")}
    before = kept.told["moved"]
    compare(told, {address: answer for address, answer in before.items() if address not in audits})
    for address in audits:  # the last entry says that it was imported now
        digests = [[each["digest"] for each in answer[address][1]["items"]] for answer in (told, before)]
        assert digests[0][:-1] == digests[1][:-1], address


def test_the_folder_of_a_judging_effort_of_before_is_gone_on_with(kept: Kept) -> None:
    assert tell_effort(kept.folder / EFFORT) == kept.told["effort"]


def test_a_board_toml_of_before_makes_the_same_board(kept: Kept, server: Server) -> None:
    from tests.web.upgrades.telling import WRITTEN_AT

    server.run("migrate")
    server.run("host", "create", kept.folder / BOARD_TOML)
    told = server.call("tell", of=TELLING, boards=["harbour"], tokens={})
    compare(told, kept.told["made"], without=WRITTEN_AT)


def test_the_last_migration_has_a_kept_file() -> None:
    """Whoever changes the tables keeps data of the new ones: CONTRIBUTING.md says how."""
    last = max(name for app, name in MigrationLoader(None, ignore_no_migrations=True).disk_migrations if app == "web")
    assert last in VERSIONS
