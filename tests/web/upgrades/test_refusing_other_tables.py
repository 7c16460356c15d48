"""Tables of another edition and files without tables are named and left alone; a failed upgrade leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.buckets import a_bucket
from tests.web.kept_tables import ROOT
from tests.web.own_database import SERVER
from tests.web.upgrades.servers import Server

pytestmark = pytest.mark.postgres
COMMANDS = (
    "migrate",
    "migrate --check",
    "web --port 0",
    "worker",
    "serve --port 0",
    "export web-docs",
    "login-link a@example.org",
)
OTHERS = (
    ("ALTER TABLE web_hook DROP COLUMN failures", "web_hook lacks the column failures smallint"),
    ("ALTER TABLE web_hook ADD COLUMN colour varchar(10)", "web_hook has the column colour varchar(10)"),
    ("ALTER TABLE web_hook RENAME COLUMN since TO beginning", "web_hook lacks the column since "),
    ("DROP TABLE web_publiccolumn", "the table web_publiccolumn is missing"),
    ("CREATE UNIQUE INDEX once ON web_hook (address)", "web_hook has the unique key (address)"),
)
BOARD = ROOT / "docs" / "examples" / "board.toml"
TABLES = (
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    if SERVER
    else "SELECT name, sql FROM sqlite_master ORDER BY 1, 2"
)
HERE = "tests.web.upgrades.test_refusing_other_tables"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "server", is_empty=False)
    yield server
    server.stop()


def state_of(server: Server) -> list[Any]:
    applied = "SELECT app, name FROM django_migrations ORDER BY id"
    return [server.ask(TABLES), server.ask(applied), server.ask("SELECT digest, at FROM web_schemadigest")]


@pytest.mark.parametrize(("change", "said"), OTHERS)
def test_tables_of_another_edition_are_refused_in_words(server: Server, change: str, said: str) -> None:
    server.database.change(change)
    before = state_of(server)
    for command in COMMANDS if change == OTHERS[0][0] else COMMANDS[:2]:
        refused = server.run(*command.split(), exit_code=2)
        assert refused.startswith("toprung: ")
        assert f"found tables of another edition of Toprung ({said}" in refused, refused
        assert "or, if you changed the tables by hand, undo that; " in refused
        assert refused.count("\n") == 1, refused
    assert state_of(server) == before


def test_more_differences_than_can_be_read_are_counted(server: Server) -> None:
    for name in ("hookcall", "announcement", "reportedlabel", "publiccolumn", "loginlink", "labelaccess", "followmail"):
        server.database.change(f"DROP TABLE web_{name}")
    assert "; and 2 differences more)" in server.run("migrate", exit_code=2)


def test_an_index_or_a_table_more_harms_nothing(server: Server) -> None:
    server.run("migrate")
    server.database.change("CREATE INDEX faster ON web_hook (off_at)")
    server.database.change("CREATE TABLE notes_of_an_admin (text varchar(10))")
    assert server.run("migrate", "--check") == "Everything is up to date.\n"


def test_tables_of_a_later_version_are_refused(server: Server) -> None:
    now = "CURRENT_TIMESTAMP"
    server.database.change(f"INSERT INTO django_migrations (app, name, applied) VALUES ('web', '9999_later', {now})")
    before = state_of(server)
    for command in COMMANDS:
        refused = server.run(*command.split(), exit_code=2)
        assert "found tables of a later version of Toprung, with web.9999_later" in refused
        assert refused.endswith("Nothing was changed. Install the version of Toprung that made them, or a later one.\n")
    assert state_of(server) == before


def test_files_of_a_board_without_its_tables_are_left_alone(tmp_path: Path) -> None:
    """The tables of a new board among them would be what the next backups hold."""
    server = Server(tmp_path / "server")
    file = server.folder / "files" / "labels" / "hidden.qrels"
    file.parent.mkdir(parents=True)
    file.write_text("q1 0 d1 1\n")
    for command in (*COMMANDS, f"backup {tmp_path / 'backup.tar'}", f"host create {BOARD}"):
        refused = server.run(*command.split(), exit_code=2)
        assert f"{server.folder / 'files'}: found files of a board and no database" in refused, refused
        assert "toprung serve" not in refused
        assert refused.count("\n") == 1, refused
    assert not list(tmp_path.glob("backup*"))
    assert server.ask(TABLES) == [] if SERVER else not server.database.file.exists()
    server.stop()


def test_files_in_a_bucket_without_tables_are_left_alone(tmp_path: Path) -> None:
    server = Server(tmp_path / "server")
    with a_bucket() as bucket:
        server.environment |= bucket.variables | {"NO_PROXY": "127.0.0.1"}
        bucket.put("labels/hidden.qrels", b"q1 0 d1 1\n")
        for command in ("migrate", "serve --port 0", f"backup {tmp_path / 'backup.tar'}"):
            assert "found files of a board and no database" in server.run(*command.split(), exit_code=2)
        bucket.stop()
        assert "found that it cannot be looked into (" in server.run("migrate", exit_code=2)
        bucket.start()
    server.stop()


def test_tables_that_a_version_with_other_models_used_last_are_brought_up_to_date(server: Server) -> None:
    [[kept]] = server.ask("SELECT digest FROM web_schemadigest")
    server.database.change("UPDATE web_schemadigest SET digest = ?", "sha256:0")
    refused = server.run("web", "--port", "0", exit_code=2)
    assert "(a version with other tables used them last" in refused
    assert refused.endswith("expected one that is. Run: toprung migrate\n")
    assert "A version with other tables used them last.\n" in server.run("migrate", "--check", exit_code=1)
    assert server.run("migrate").startswith("Noted that the tables are those of this version.\n")
    assert server.ask("SELECT digest FROM web_schemadigest") == [(kept,)]
    assert server.run("migrate") == "Everything was up to date.\n"


def test_an_upgrade_that_fails_in_the_middle_leaves_everything_as_it_was(server: Server) -> None:
    server.call("set_title", of=HERE, title="Before")
    before = state_of(server)
    refused = server.call("migrate_in_vain", of=HERE)
    assert "found that the tables could not be brought to web.9999_fails (made to fail)" in refused
    assert "Nothing was changed" in refused
    assert state_of(server) == before
    assert server.ask("SELECT name FROM web_team") == [("Before",)]
    assert "tables" not in server.run("migrate", "--check", exit_code=1), "static files alone are not there yet"


def set_title(title: str) -> None:
    from toprung.web.core.models.people import Team

    Team.objects.create(slug="a", name=title)


def migrate_in_vain() -> str:
    """In a process of its own: two migrations to come, of which the second changes rows and tables, then fails."""
    from django.db import migrations, models
    from django.db.migrations.loader import MigrationLoader

    from toprung.errors import InputError
    from toprung.web.ops.start import migrate

    def change(apps: Any, editor: Any) -> None:
        apps.get_model("web", "Team").objects.update(name="After")

    def fail(apps: Any, editor: Any) -> None:
        raise ValueError("made to fail")

    class Makes(migrations.Migration):
        operations = (migrations.AddField("team", "colour", models.CharField(max_length=10, default="red")),)

    class Fails(migrations.Migration):
        dependencies = (("web", "9998_makes"),)
        operations = (
            migrations.RunPython(change),
            migrations.CreateModel("Colour", [("id", models.BigAutoField(primary_key=True))]),
            migrations.RunPython(fail),
        )

    load_disk = MigrationLoader.load_disk

    def load_more(loader: MigrationLoader) -> None:
        load_disk(loader)
        last = max(name for app, name in loader.disk_migrations if app == "web")
        Makes.dependencies = [("web", last)]
        loader.disk_migrations["web", "9998_makes"] = Makes("9998_makes", "web")
        loader.disk_migrations["web", "9999_fails"] = Fails("9999_fails", "web")

    MigrationLoader.load_disk = load_more  # type: ignore[method-assign]
    try:
        migrate(None)
    except InputError as error:
        return str(error)
    return "nothing failed"
