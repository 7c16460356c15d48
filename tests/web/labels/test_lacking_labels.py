"""A board that came without its hidden labels is shown as it was and takes nothing, until it is given them again."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import OFFICIAL, PRIVATE, even_ranks, make_user, run_text
from tests.web.moving import (
    Past,
    import_from,
    make_newcomer,
    outcome_of,
    submit_anew,
    tell_all,
    tell_columns,
)
from tests.web.versions import ANSWERS, OTHER_ANSWERS, write_labels

from toprung.cli.server.host import host
from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Membership, Team
from toprung.web.core.queue import compare, examine, refresh, settle
from toprung.web.services.bundle.labels_back import restore_labels

pytestmark = pytest.mark.django_db
PRIVATE_ANSWERS = {query: {f"rel-{query}": 1} for query in PRIVATE}


@pytest.fixture
def board(past: Past) -> Board:
    return import_from(past.plain, by=make_newcomer()).board


@pytest.fixture
def label_files(tmp_path: Path) -> list[Path]:
    """The three sets as they were given to the host before."""
    sets = {"one.txt": ANSWERS, "two.txt": OTHER_ANSWERS, "private.txt": PRIVATE_ANSWERS}
    return [write_labels(tmp_path / name, labels) for name, labels in sets.items()]


def test_it_is_shown_as_it_was(past: Past, board: Board) -> None:
    found = tell_all(board)
    found["audit"].pop()
    for name, rows in past.told_plain.items():
        assert found[name] == rows, name
    page = Client().get("/b/web-docs/").content.decode()
    assert "This board came from another server without its hidden labels." in page
    assert "Submit a run" not in page


def test_every_page_is_there(board: Board) -> None:
    browser = Client()
    browser.force_login(board.created_by)
    public = ("", "history/", "stability/", "compare/", "data/", "about/", "runs/R1/", "?labels=1")
    private = ("validity/", "audit/", "labels/", "policy/", "people/", "baselines/", "import/")
    for page in (*public, *(f"organise/{each}" for each in private)):
        assert browser.get(f"/b/web-docs/{page}").status_code == 200, page


def test_it_takes_no_files(board: Board) -> None:
    member = make_user("member")
    Membership.objects.create(team=Team.objects.get(slug="kestrel-lab"), user=member)
    browser = Client()
    browser.force_login(member)
    assert (
        "it came from another server without its hidden labels" in browser.get("/b/web-docs/submit/").content.decode()
    )
    file = SimpleUploadedFile("run.txt", run_text(even_ranks(1)))
    answer = browser.post(reverse("send_file", args=["web-docs"]), {"team": "kestrel-lab", "file": file})
    assert answer.status_code == 422
    assert "without its hidden labels" in answer.content.decode()
    assert not board.uploads.filter(user=member).exists()


def test_hidden_labels_cannot_be_opened_there(board: Board) -> None:
    browser = Client()
    browser.force_login(board.created_by)
    page = browser.get("/b/web-docs/organise/labels/").content.decode()
    assert page.count("not on this server") == 3
    hidden = board.label_sets.filter(is_hidden=True).first()
    assert hidden is not None
    assert browser.get(f"/b/web-docs/organise/labels/{hidden.pk}/").status_code == 404


def test_no_task_computes_anything(past: Past, board: Board) -> None:
    Board.objects.filter(pk=board.pk).update(results_due=board.results_due + 1)
    for task in (settle, refresh, examine):
        task.enqueue(board.pk)
    compare.enqueue(board.pk, "R1", "B1")
    run_tasks(raise_failures=True)
    assert tell_all(board)["results"] == past.told_plain["results"]


def test_with_its_labels_it_goes_on_as_on_the_host_before(past: Past, board: Board, label_files: list[Path]) -> None:
    restore_labels(board, label_files, by=board.created_by)
    board.refresh_from_db()
    assert not board.lacks_labels
    assert board.is_open
    assert tell_columns(board) == past.columns
    team, user = Team.objects.get(slug="norrland-ir"), make_user("member")
    Membership.objects.create(team=team, user=user)
    assert outcome_of(submit_anew(board, team, user)) == past.outcome


def test_some_of_its_labels_are_not_enough(board: Board, label_files: list[Path]) -> None:
    restore_labels(board, label_files[:2], by=board.created_by)
    board.refresh_from_db()
    assert board.lacks_labels
    entries = [entry.what for entry in board.audit.order_by("-number")[:2]]
    assert entries == ["Gave labels again, official v2", "Gave labels again, official v1"]


def test_other_labels_are_refused(board: Board, tmp_path: Path) -> None:
    other = write_labels(tmp_path / "other.txt", {query: {f"other-{query}-2": 1} for query in OFFICIAL})
    with pytest.raises(InputError, match=r"other\.txt: found the digest sha256:.* official v1 sha256:"):
        restore_labels(board, [other], by=board.created_by)
    assert board.label_sets.filter(file="").count() == 3


def test_the_command_gives_them(board: Board, label_files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toprung.web.ops.start.open_folder", lambda _: None)
    arguments = ["restore-labels", "web-docs", *map(str, label_files)]
    said = CliRunner().invoke(host, arguments, catch_exceptions=False).output
    assert said == "3 sets of labels on Web Docs: it takes runs again.\n"
