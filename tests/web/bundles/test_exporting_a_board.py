"""An organiser writes a board into one signed file: of people their names alone, hidden labels only for a reason."""

from __future__ import annotations

import io
import json
import stat
import tarfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.conf import settings
from django.test import Client
from django.utils import timezone
from tests.web.cast import PASSWORD, Cast
from tests.web.moving import HIDDEN_NAME, KEY, REASON, SERVER, Past, export
from tests.web.runs import settled

from toprung.boards.archive.verifying import verify_bundle
from toprung.cli.server.export import export as export_command
from toprung.errors import InputError
from toprung.web.core.config.signing_key import find_key, signing_key
from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelAccess
from toprung.web.core.models.runs import Submission, Upload
from toprung.web.services.bundle.fields import plain_fields

pytestmark = pytest.mark.postgres


@pytest.fixture
def in_this_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toprung.web.ops.start.open_folder", lambda _: None)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(export_command, [str(each) for each in arguments], catch_exceptions=False)


def members_of(path: Path) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as tar:
        return {name: tar.extractfile(name).read() for name in tar.getnames()}  # type: ignore[union-attr]


def rows_of(path: Path, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in members_of(path)[table].splitlines()]


def test_a_bundle_is_whole_and_says_what_is_in_it(past: Past) -> None:
    found = verify_bundle(past.full, key=KEY.fingerprint).to_dict()
    assert (found["board"], found["made_by"]) == ("web-docs", SERVER)
    assert (found["runs"], found["teams"], found["claims"], found["charges"]) == (6, 2, 2, 4)
    assert found["has_hidden_labels"] is True
    assert verify_bundle(past.plain).to_dict()["has_hidden_labels"] is False


def test_nothing_of_people_is_in_it_but_their_names(past: Past) -> None:
    for path in (past.full, past.plain):
        content = path.read_bytes()
        assert b"Participant" in content
        assert not [email for email in past.emails if email.encode() in content]
        assert b"@" not in b"".join(data for name, data in members_of(path).items() if name in ("people.jsonl",))
        assert PASSWORD.encode() not in content
        assert b"md5$" not in content
    assert {row["name"] for row in rows_of(past.full, "people.jsonl")} == {
        "Organiser",
        "Participant",
        "Mate",
        "Stranger",
    }


def test_hidden_labels_and_scores_of_single_queries_stay_here(past: Past) -> None:
    plain, full = members_of(past.plain), members_of(past.full)
    assert [name for name in plain if name.startswith("labels/")] == ["labels/3"]  # those for dry runs are public
    assert len([name for name in full if name.startswith("labels/")]) == 4
    hidden = [data for name, data in full.items() if name in ("labels/1", "labels/2", "labels/4")]
    tables = b"".join(data for name, data in plain.items() if not name.startswith("runs/"))
    assert not [line for data in hidden for line in data.splitlines() if line in tables]
    assert all(row["packed"] is None for row in rows_of(past.plain, "columns.jsonl"))
    assert {row["measure"] for row in rows_of(past.plain, "columns.jsonl")} == {"RR@100", "nDCG@10"}
    assert all(row["packed"] for row in rows_of(past.full, "columns.jsonl"))


def test_names_under_an_embargo_are_in_it(past: Past) -> None:
    """It is for organisers; the command says so."""
    assert HIDDEN_NAME in {row["name"] for row in rows_of(past.plain, "runs.jsonl")}


def test_taking_hidden_labels_is_on_record_with_its_reason(cast: Cast, tmp_path: Path) -> None:
    cast.board.label_sets.exclude(use="dev").update(is_hidden=True)
    export(cast.board, tmp_path / "a.toprung", by=cast.organiser)
    accesses = LabelAccess.objects.order_by("pk")
    assert [(each.what, each.reason) for each in accesses] == [
        ("Exported labels, official v1", REASON),
        ("Exported labels, private v1", REASON),
    ]
    last = cast.board.audit.last()
    assert last is not None
    assert (last.what, last.who) == ("Exported the board with hidden labels", cast.organiser.reference)
    assert last.details["reason"] == REASON
    assert rows_of(tmp_path / "a.toprung", "audit.jsonl")[-1]["digest"] == last.digest


def test_an_export_without_labels_is_on_record_too(cast: Cast, tmp_path: Path) -> None:
    export(cast.board, tmp_path / "a.toprung", by=cast.organiser, reason=None)
    assert not LabelAccess.objects.exists()
    assert [entry.what for entry in AuditEntry.objects.all()] == ["Exported the board without hidden labels"]


def test_a_reason_that_says_nothing_takes_nothing(cast: Cast, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Reason: found 3 characters"):
        export(cast.board, tmp_path / "a.toprung", by=cast.organiser, reason="for")
    assert not AuditEntry.objects.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_left_alone(cast: Cast, tmp_path: Path) -> None:
    (tmp_path / "a.toprung").write_text("mine")
    with pytest.raises(InputError, match="found a file there already"):
        export(cast.board, tmp_path / "a.toprung", by=cast.organiser)
    assert (tmp_path / "a.toprung").read_text() == "mine"


def test_a_file_that_the_storage_lost_is_named(cast: Cast, tmp_path: Path) -> None:
    submission = settled(cast, "first", 2)
    submission.upload.parquet.storage.delete(submission.upload.parquet.name)
    with pytest.raises(InputError, match=r"runs/R1\.parquet: found no such file in the storage"):
        export(cast.board, tmp_path / "a.toprung", by=cast.organiser)
    assert list(tmp_path.iterdir()) == []


def test_fields_of_a_run_and_of_its_file_do_not_hide_each_other() -> None:
    """They stand in one row."""
    run, upload = ({field.name for field in plain_fields(model)} for model in (Submission, Upload))
    assert run & upload == set()


@pytest.mark.usefixtures("in_this_database")
def test_the_command_writes_a_file_for_its_owner_alone(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settled(cast, "first", 2)
    said = run("web-docs", "--with-labels", "--reason", REASON).output.splitlines()
    key = find_key(settings.ENVIRONMENT)
    assert key is not None
    assert said[0].startswith("web-docs.toprung: Web Docs, 1 run, 0 claims, ")
    assert said[1] == f"Signed by key {key.fingerprint}."
    assert said[2] == "Hidden labels are in it: keep it as secret as they are."
    assert verify_bundle(tmp_path / "web-docs.toprung", key=key.fingerprint)


@pytest.mark.usefixtures("in_this_database")
def test_the_command_says_that_anonymous_teams_are_in_it(cast: Cast, tmp_path: Path) -> None:
    settled(cast, "first", 2, anonymous_until=timezone.now().date() + timedelta(days=30))
    said = run("web-docs", "-o", tmp_path / "a.toprung").output
    assert "It tells whose 1 anonymous run it has: give it to nobody who may not know." in said
    assert "Hidden labels are not in it" in said


@pytest.mark.usefixtures("in_this_database", "cast")
@pytest.mark.parametrize("arguments", [["--with-labels"], ["--reason", REASON]])
def test_labels_and_a_reason_come_together(arguments: list[str], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="alone; expected"):
        run("web-docs", "-o", tmp_path / "a.toprung", *arguments)
    assert not Board.objects.get(slug="web-docs").audit.exists()


def test_the_key_is_drawn_once_and_for_its_owner_alone(cast: Cast) -> None:
    key = signing_key(settings.ENVIRONMENT)
    assert signing_key(settings.ENVIRONMENT).fingerprint == key.fingerprint
    mode = (settings.ENVIRONMENT.data_folder / "signing-key").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert key.fingerprint in Client().get("/b/web-docs/about/").content.decode()
