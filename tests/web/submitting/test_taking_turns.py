"""Files and runs of one person wait for each other, and for those of others no longer than for one of each person."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest
from django.utils import timezone
from django_ox.models import OxTask
from django_ox.testing import run_tasks
from tests.web.cast import Cast, even_ranks, make_board, make_team, make_upload, make_user, run_text
from tests.web.runs import GOOD, accepted

from toprung.data.run_card import RunCard
from toprung.errors import ToprungError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import RunState, Submission, Upload, UploadState
from toprung.web.core.queue import check
from toprung.web.core.store.files import FilesAwayError
from toprung.web.core.work.workers import waiting_work
from toprung.web.ops.housekeeping.trying_again import try_again
from toprung.web.services.runs import check as checking
from toprung.web.services.runs import score as scoring
from toprung.web.services.runs.score import score_or_fail
from toprung.web.services.runs.submit import check_again, submit
from toprung.web.services.runs.turns import queue_forgotten, queue_next

pytestmark = pytest.mark.postgres


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The files that were checked, by their numbers, in order; nothing is read for it."""
    done: list[int] = []

    def check_upload(pk: int) -> None:
        Upload.objects.filter(pk=pk).update(state=UploadState.REFUSED)
        done.append(pk)

    monkeypatch.setattr(checking, "check_upload", check_upload)
    return done


def send(board: Board, team: Team | None, user: User) -> int:
    """As `receive` does, but for the caps on how many may come."""
    upload = make_upload(board, team, user, GOOD)
    queue_next(user.pk)
    return upload.pk


def tasks(status: str = "READY") -> list[int]:
    return [args[0] for (args,) in OxTask.objects.filter(status=status).values_list("args")]


def test_a_file_waits_for_one_file_of_another_person_however_many_that_one_sent(cast: Cast, checks: list[int]) -> None:
    """Thirty of one, on two boards and for two teams, and as many of their baselines; then one of somebody else."""
    other_board, other_team = make_board("news", cast.organiser), make_team("Second Team", cast.participant)
    places = itertools.product((cast.board, other_board), (cast.team, other_team, None))
    many = [send(board, team, cast.participant) for board, team in itertools.islice(itertools.cycle(places), 30)]
    honest = send(cast.board, cast.other_team, cast.stranger)
    run_tasks(raise_failures=True)
    assert checks == [many[0], honest, *many[1:]]


def test_a_file_that_comes_while_another_is_checked_waits_for_that_one_alone(cast: Cast, checks: list[int]) -> None:
    many = [send(cast.board, cast.team, cast.participant) for _ in range(3)]
    run_tasks(max_tasks=2)
    honest = send(cast.board, cast.other_team, cast.stranger)
    run_tasks(raise_failures=True)
    assert checks == [*many, honest], "the third was in the queue before: it is the one that is waited for"
    assert tasks() == []


def test_people_take_turns(cast: Cast, checks: list[int]) -> None:
    people = [make_user(f"person{number}") for number in range(3)]
    sent = [[send(cast.board, None, person) for _ in range(3)] for person in people]
    run_tasks(raise_failures=True)
    assert checks == [files[turn] for turn in range(3) for files in sent]


def test_files_that_come_all_the_time_starve_nobody(
    cast: Cast, checks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever a file was checked, each of five others has sent a new one: yet the three of the first are checked."""
    people = [make_user(f"person{number}") for number in range(5)]
    first = [send(cast.board, cast.team, cast.participant) for _ in range(3)]
    for person in people:
        send(cast.board, None, person)
    for _ in range(3 * (1 + len(people))):
        run_tasks(max_tasks=1)
        for person in people:
            send(cast.board, None, person)
    assert [pk for pk in checks if pk in first] == first


def test_two_workers_never_have_two_files_of_one_person(cast: Cast) -> None:
    sent = [send(cast.board, cast.team, cast.participant) for _ in range(3)]
    OxTask.objects.filter(status="READY").update(status="RUNNING")
    send(cast.board, cast.team, cast.participant)
    queue_next(cast.participant.pk)
    assert (tasks("RUNNING"), tasks()) == ([sent[0]], [])


def test_an_upload_that_another_worker_took_over_queues_the_next_one_once(cast: Cast, checks: list[int]) -> None:
    """Tasks may run twice: a worker that stood still ends after the one that did its work."""
    sent = [send(cast.board, cast.team, cast.participant) for _ in range(3)]
    run_tasks(max_tasks=1)
    check.func(sent[0])
    assert tasks() == [sent[1]]


def test_a_check_that_fails_for_want_of_the_store_keeps_its_turn_and_holds_nobody_up(
    cast: Cast, checks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    work, sent = checking.check_upload, [send(cast.board, cast.team, cast.participant) for _ in range(2)]

    def fail_first(pk: int) -> None:
        if pk == sent[0]:
            raise ToprungError("the store is away")
        work(pk)

    monkeypatch.setattr(checking, "check_upload", fail_first)
    run_tasks()
    assert checks == sent[1:]
    monkeypatch.setattr(checking, "check_upload", work)
    OxTask.objects.filter(status="READY").update(run_after=None)
    run_tasks(raise_failures=True)
    assert checks == [sent[1], sent[0]]


FAULT = [{"exception_class_path": "builtins.TypeError", "traceback": ""}]
AWAY = [*FAULT, {"exception_class_path": "toprung.web.core.store.files.FilesAwayError", "traceback": ""}]


@pytest.mark.parametrize("ended", [{"status": "FAILED", "errors": AWAY}, {"status": "LOST"}])
def test_what_housekeeping_tries_again_gets_no_second_task(
    cast: Cast, checks: list[int], ended: dict[str, object]
) -> None:
    sent = [send(cast.board, cast.team, cast.participant) for _ in range(2)]
    OxTask.objects.update(**ended, finished_at=timezone.now() - timedelta(hours=1))
    queue_forgotten()
    assert tasks() == sent[1:], "the one that failed does not hold up the other"
    run_tasks(raise_failures=True)
    queue_forgotten()
    assert (checks, tasks()) == (sent[1:], [])
    assert try_again() == 1
    run_tasks(raise_failures=True)
    assert checks == [sent[1], sent[0]]


@pytest.mark.parametrize(
    "ended",
    [
        {"status": "FAILED", "errors": [*AWAY, *FAULT]},
        {"status": "FAILED", "errors": []},
        {"status": "FAILED", "errors": AWAY, "enqueued_at": timezone.now() - timedelta(days=4)},
        {"status": "LOST", "enqueued_at": timezone.now() - timedelta(days=4)},
        {"status": "DISCARDED"},
    ],
)
def test_what_nobody_tries_again_is_found_again(cast: Cast, ended: dict[str, object]) -> None:
    sent = send(cast.board, cast.team, cast.participant)
    OxTask.objects.update(**ended, finished_at=timezone.now() - timedelta(hours=1))
    queue_forgotten()
    assert tasks() == [sent]
    assert try_again() == 0


def test_what_has_no_task_at_all_is_found_again(cast: Cast) -> None:
    sent = send(cast.board, cast.team, cast.participant)
    OxTask.objects.all().delete()
    queue_forgotten()
    assert tasks() == [sent]


@pytest.mark.parametrize("status", ["SUCCESSFUL", "FAILED"])
def test_a_file_that_is_to_be_checked_again_is_queued_whatever_became_of_its_task(cast: Cast, status: str) -> None:
    sent = send(cast.board, cast.team, cast.participant)
    OxTask.objects.update(status=status, errors=FAULT if status == "FAILED" else [])
    Upload.objects.update(state=UploadState.ACCEPTED)
    check_again(Upload.objects.get())
    assert tasks() == [sent]


@pytest.mark.parametrize("n_files", [1, 2, 3])
def test_while_the_store_is_away_there_are_as_many_tasks_as_files(
    cast: Cast, checks: list[int], monkeypatch: pytest.MonkeyPatch, n_files: int
) -> None:
    """Long enough for all attempts of each, and for housekeeping to begin again five times."""
    work, begun = checking.check_upload, set()

    def fail(pk: int) -> None:
        begun.add(pk)
        raise FilesAwayError("the store is away")

    monkeypatch.setattr(checking, "check_upload", fail)
    sent = [send(cast.board, cast.team, cast.participant) for _ in range(n_files)]
    for turn in range(60):
        run_tasks(max_tasks=1)
        OxTask.objects.filter(status="READY").update(run_after=None)
        if turn >= 30 and not tasks():
            OxTask.objects.update(finished_at=timezone.now() - timedelta(days=1))
            try_again()
        queue_forgotten()
    assert OxTask.objects.count() == n_files
    assert begun == set(sent)
    monkeypatch.setattr(checking, "check_upload", work)
    OxTask.objects.update(run_after=None, finished_at=timezone.now() - timedelta(days=1))
    try_again()
    run_tasks(raise_failures=True)
    assert sorted(checks) == sent


def test_runs_on_a_board_without_its_labels_wait_for_them(cast: Cast) -> None:
    submit(accepted(cast), RunCard(name="first"), by=cast.participant)
    OxTask.objects.all().delete()
    Board.objects.update(imported=[{"has_labels": False}])
    queue_forgotten()
    assert tasks() == []
    assert waiting_work() == (0, 0.0)
    Board.objects.update(imported=[])
    queue_forgotten()
    assert len(tasks()) == 1


@pytest.fixture
def three_runs(cast: Cast) -> list[Submission]:
    Board.objects.filter(pk=cast.board.pk).update(quota=10)
    uploads = [accepted(cast, run_text(even_ranks(number + 1))) for number in range(3)]
    return [submit(each, RunCard(name=f"run {each.pk}"), by=cast.participant) for each in uploads]


def test_scores_take_turns_too_and_the_file_of_another_person_goes_between_them(
    cast: Cast, three_runs: list[Submission], checks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    def note(pk: int) -> None:
        order.append(Submission.objects.get(pk=pk).run_id)
        score_or_fail(pk)

    monkeypatch.setattr(scoring, "score_or_fail", note)
    own, honest = send(cast.board, cast.team, cast.participant), send(cast.board, cast.other_team, cast.stranger)
    run_tasks(max_tasks=2)
    assert (order, checks) == (["R1"], [honest])
    run_tasks(raise_failures=True)
    assert (order, checks) == (["R1", "R2", "R3"], [honest, own])
    assert set(Submission.objects.values_list("state", flat=True)) == {RunState.DONE}


def test_what_waits_behind_another_is_counted_as_waiting(cast: Cast, three_runs: list[Submission]) -> None:
    send(cast.board, cast.team, cast.participant)
    n_waiting, _ = waiting_work()
    assert (n_waiting, len(tasks())) == (4, 1)
