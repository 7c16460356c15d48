"""A board comes to an empty server from its bundle: the same standings, claims, results and audit digests."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.cast import make_team, make_user
from tests.web.moving import (
    HIDDEN_NAME,
    KEY,
    SERVER,
    Past,
    export,
    import_from,
    make_newcomer,
    outcome_of,
    submit_anew,
    tell_all,
    tell_columns,
)

from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Membership, Team, User
from toprung.web.core.store.audit import find_break, show_people
from toprung.web.services.boards.roles import teams_without_members
from toprung.web.services.results.compute import compute_results

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def test_everything_is_as_it_was(past: Past) -> None:
    board = import_from(past.full, by=make_newcomer()).board
    found = tell_all(board)
    imported = found["audit"].pop()
    for name, rows in past.told.items():
        assert found[name] == rows, name
    assert tell_columns(board) == past.columns
    assert imported["previous"] == past.told["audit"][-1]["digest"]
    assert imported["what"].startswith(f"Imported the board from {SERVER}")
    assert find_break(board) is None


def test_what_is_compared_is_there(past: Past) -> None:
    """Two empty boards would be equal too."""
    counts = {name: len(rows) for name, rows in past.told.items()}
    assert (counts["runs"], counts["charges"], counts["edits"], counts["refused"]) == (6, 4, 1, 1)
    assert [(each["number"], each["voided_at"] is None) for each, *_ in past.told["claims"]] == [(1, False), (2, True)]
    assert {each["labels_version"] for each, _ in past.told["standings"]} == {1, 2}
    assert [each["what"] for each, _ in past.told["accesses"]] == [
        "Viewed labels of 1 query (p01), private v1",
        "Exported labels, official v1",
        "Exported labels, private v1",
        "Exported labels, official v2",
    ]
    assert past.told["audit"][-1]["what"] == "Exported the board with hidden labels"


def test_results_computed_from_what_was_restored_are_those_that_were_stored(past: Past) -> None:
    board = import_from(past.full, by=make_newcomer()).board
    Board.objects.filter(pk=board.pk).update(results_due=board.results_due + 1)
    compute_results(board.pk)
    found = tell_all(board)
    assert found["standings"] == past.told["standings"]
    kinds = {"board", "timeline", "stability", "significance"}
    assert _contents(found, kinds) == _contents(past.told, kinds)
    assert len(_contents(found, kinds)) >= 6


def test_a_new_run_is_scored_and_settled_as_on_the_host_before(past: Past) -> None:
    """The next claim is tested at the level that the claims of before have left."""
    board = import_from(past.full, by=make_newcomer()).board
    team, user = Team.objects.get(slug="norrland-ir"), make_user("member")
    Membership.objects.create(team=team, user=user)
    assert outcome_of(submit_anew(board, team, user)) == past.outcome
    assert past.outcome["label"] == "R6"
    assert past.outcome["score"] == 1.0
    assert past.outcome["claim"][0] == 3


def test_who_imports_organises_it_and_nobody_else_comes_in(past: Past) -> None:
    newcomer = make_newcomer()
    board = import_from(past.full, by=newcomer).board
    assert [role.user for role in board.roles.all()] == [newcomer]
    others = User.objects.exclude(pk=newcomer.pk)
    assert {user.name for user in others} == {"Organiser", "Participant", "Mate", "Stranger"}
    assert not any(user.is_active or user.has_usable_password() for user in others)
    assert all(user.email.endswith("@invalid.invalid") for user in others)
    assert not Membership.objects.exists()


def test_people_of_the_host_before_are_not_taken_for_people_here(past: Past) -> None:
    """The audit log calls them by number; whoever has that number here is somebody else."""
    number = int(past.told["audit"][-1]["who"].removeprefix("user "))
    somebody = make_newcomer("somebody", pk=number)
    board = import_from(past.full, by=somebody).board
    entries = list(board.audit.order_by("number"))
    whos = [who for who, _ in show_people(entries)]
    by_that_number = [who for who, entry in zip(whos, entries, strict=True) if entry.who == somebody.reference]
    assert set(by_that_number[:-1]) == {"Organiser"}
    assert by_that_number[-1] == "Somebody"
    browser = Client()
    browser.force_login(somebody)
    page = browser.get("/b/web-docs/organise/audit/").content.decode()
    assert page.count("<td>Somebody</td>") == 1
    assert page.count("<td>Organiser</td>") == len(by_that_number) - 1


def test_a_board_that_moves_twice_keeps_the_names_of_both_hosts(past: Past, tmp_path: Path) -> None:
    second = make_newcomer("second")
    board = import_from(past.full, by=second).board
    export(board, tmp_path / "again.toprung", by=second)
    _empty(board)
    third = import_from(tmp_path / "again.toprung", by=make_newcomer("third")).board
    names = [who for who, _ in show_people(list(third.audit.order_by("number")))]
    assert [stage["made_by"] for stage in third.imported] == [SERVER, SERVER]
    assert "Organiser" in names
    assert names.count("Second") == 5  # imported, three sets and the board exported
    assert names[-1] == "Third"
    assert find_break(third) is None


def test_embargoes_hold_on_the_new_host(past: Past) -> None:
    board = import_from(past.full, by=make_newcomer()).board
    assert board.submissions.filter(name=HIDDEN_NAME).exists()
    for page, status in {"": 200, "history/": 200, "runs/R3/": 200, "export.json": 404}.items():
        answer = Client().get(f"/b/web-docs/{page}")
        assert answer.status_code == status, "of so few hidden queries there is nothing to export"
        assert HIDDEN_NAME not in answer.content.decode()


def test_a_board_of_the_same_name_is_left_alone(past: Past) -> None:
    board = import_from(past.full, by=make_newcomer()).board
    stored, before = _stored_files(), tell_all(board)
    with pytest.raises(InputError, match="Found a board 'web-docs' here already"):
        import_from(past.full, by=make_newcomer("second"))
    assert tell_all(board) == before
    assert _stored_files() == stored


def test_nothing_is_kept_of_an_import_that_fails(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    newcomer, stored = make_newcomer(), _stored_files()
    monkeypatch.setattr("toprung.web.services.bundle.restoring.go_on", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        import_from(past.full, by=newcomer)
    assert not Board.objects.exists()
    assert not Team.objects.exists()
    assert _stored_files() == stored


def test_a_team_with_members_here_is_another_team(past: Past) -> None:
    """Else whoever founds a team of that name in time would get its runs, anonymous ones among them."""
    squatters = make_team("Kestrel Lab", make_user("squatter"))
    made = import_from(past.full, by=make_newcomer())
    team = made.board.submissions.get(run_id="R1").team
    assert team is not None
    assert (team.name, team.slug) == ("Kestrel Lab (2)", "kestrel-lab-2")
    assert not squatters.submissions.exists()
    assert made.renamed == ["Kestrel Lab is called Kestrel Lab (2) here, for another team has its name"]


def test_a_team_that_was_closed_here_is_another_team(past: Past) -> None:
    """Nobody can be invited to it any more, so nobody could go on with its runs."""
    closed = make_team("Kestrel Lab")
    Team.objects.filter(pk=closed.pk).update(closed_at=timezone.now())
    board = import_from(past.full, by=make_newcomer()).board
    assert not closed.submissions.exists()
    assert {team.name for team in teams_without_members(board)} == {"Kestrel Lab (2)", "Norrland IR"}


def test_who_imports_may_say_that_a_team_is_the_same(past: Past) -> None:
    team = make_team("Kestrel Lab", make_user("member"))
    made = import_from(past.full, by=make_newcomer(), joins_teams=True)
    assert made.board.submissions.get(run_id="R1").team == team
    assert made.renamed == []


def test_what_waited_for_the_worker_is_taken_up(past: Past, tmp_path: Path) -> None:
    newcomer = make_newcomer()
    board = import_from(past.full, by=newcomer).board
    team, user = Team.objects.get(slug="norrland-ir"), make_user("member")
    Membership.objects.create(team=team, user=user)
    submit_anew(board, team, user)
    export(board, tmp_path / "a.toprung", by=newcomer)
    _empty(board)
    again = import_from(tmp_path / "a.toprung", by=newcomer).board
    assert again.submissions.get(run_id="R6").state == "queued"
    run_tasks()
    assert again.submissions.get(run_id="R6").state == "done"


def test_the_page_says_where_it_came_from_and_by_which_key(past: Past) -> None:
    import_from(past.full, by=make_newcomer())
    page = Client().get("/b/web-docs/about/").content.decode()
    assert f"It came from {SERVER}" in page
    assert KEY.fingerprint in page


def test_what_the_database_refuses_is_said_in_words(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise IntegrityError("UNIQUE constraint failed")

    monkeypatch.setattr("toprung.web.services.bundle.restoring.make_people", refuse)
    with pytest.raises(InputError, match="rows that contradict each other"):
        import_from(past.full, by=make_newcomer())


def _contents(told: dict[str, list[dict[str, object]]], kinds: set[str]) -> list[object]:
    return [
        (each["labels_version"], each["kind"], each["audience"], each["content"])
        for each in told["results"]
        if each["kind"] in kinds
    ]


def _empty(board: Board) -> None:
    """As if it had never been here."""
    board.holder = None
    board.save()
    for rows in (board.audit, board.label_accesses, board.charges, board.claims, board.submissions):
        rows.all().delete()
    board.delete()


def _stored_files() -> set[Path]:
    return {path for path in settings.ENVIRONMENT.files.rglob("*") if path.is_file()}
