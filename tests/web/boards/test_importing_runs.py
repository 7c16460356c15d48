"""Runs of the past come onto a board from files: by their dates, all or none, as if submitted one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone
from django_ox.models import OxTask
from django_ox.testing import run_tasks
from tests.web.cast import Cast, even_ranks, make_board, make_upload, run_text
from tests.web.runs import settled

from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.data.run_card import RunCard
from toprung.data.run_metadata import Metadata, RunMetadata
from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import Charge, Submission, Upload
from toprung.web.core.queue_names import URGENT
from toprung.web.core.store.audit import find_break
from toprung.web.services.boards import import_runs as importing
from toprung.web.services.boards.import_runs import import_runs
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.forget import put_aside, unsubmitted
from toprung.web.services.runs.receive import check_sender
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import add_baseline
from toprung.web.services.runs.turns import queue_forgotten, queue_next

type CaptureOnCommit = Callable[..., AbstractContextManager[object]]

RANKS = {"base": 8, "early": 6, "later": 2, "worse": 7}
CSV = """run,team,date,tags,description,paper,cost,is_baseline,embargo_until
later,Norrland IR,2026-03-01,fusion;dense,Two models,https://example.org/paper,1.5,,
early,Kestrel Lab,2026-01-10,,,Lin et al. 2021,,,
base,,,,,,,yes,
worse,Old Guard,2026-03-01,,,,,,2026-11-30
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    runs = tmp_path / "runs"
    runs.mkdir()
    for name, rank in RANKS.items():
        (runs / f"{name}.run").write_bytes(run_text(even_ranks(rank), name=name))
    (tmp_path / "runs.csv").write_text(CSV)
    return runs


def metadata_of(folder: Path) -> Metadata:
    return read_metadata(folder.parent / "runs.csv")


def settle(board: Board, submissions: list[Submission]) -> None:
    for submission in submissions:
        score_submission(submission.pk)
    settle_board(board.pk)
    board.refresh_from_db()


def test_without_metadata_all_files_are_baselines_named_like_them(cast: Cast, folder: Path) -> None:
    runs = import_runs(cast.board, folder, None, by=cast.organiser)
    settle(cast.board, runs)
    assert [(run.name, run.is_baseline, run.team) for run in runs] == [(name, True, None) for name in sorted(RANKS)]
    assert not cast.board.claims.exists()
    assert not Charge.objects.filter(board=cast.board).exists()


@contextmanager
def nothing_stored(callbacks: CaptureOnCommit) -> Iterator[None]:
    """Files are deleted once the deletion of their rows is committed, which a test never is."""
    before = stored()
    with callbacks(execute=True):
        yield
    assert stored() == before


def stored() -> tuple[int, ...]:
    """Rows and files of whatever an import makes."""
    rows = (Submission, Upload, Charge, Team)
    folders = [name for name in ("uploads", "runs") if default_storage.exists(name)]
    files = [path for name in folders for path in Path(default_storage.path(name)).rglob("*") if path.is_file()]
    return (*(each.objects.count() for each in rows), len(files), OxTask.objects.count())


def test_runs_come_in_the_order_of_their_dates_after_the_baselines(cast: Cast, folder: Path) -> None:
    made = import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    assert [(run.run_id, run.name, f"{run.submitted_at:%Y-%m-%d}") for run in made] == [
        ("B1", "base", "2026-01-10"),
        ("R1", "early", "2026-01-10"),
        ("R2", "later", "2026-03-01"),
        ("R3", "worse", "2026-03-01"),
    ]
    assert made[2].submitted_at < made[3].submitted_at, "two of a day keep the order of the file"


def test_what_is_known_of_a_run_stands_on_its_page(cast: Cast, folder: Path) -> None:
    _, early, later, worse = import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    assert (later.tags, later.card.description, later.card.paper, later.card.cost) == (
        ["fusion", "dense"],
        "Two models",
        "https://example.org/paper",
        1.5,
    )
    assert (early.card.paper, early.card.description) == ("", "Paper: Lin et al. 2021"), "what is no address is no link"
    assert worse.anonymous_until == date(2026, 11, 30)


def test_teams_are_found_by_name_or_founded_without_members(cast: Cast, folder: Path) -> None:
    _, early, later, worse = import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    assert (early.team, later.team) == (cast.team, cast.other_team)
    assert worse.team is not None
    assert (worse.team.name, worse.team.membership_set.count()) == ("Old Guard", 0)


def test_charges_bear_the_dates_of_the_runs(cast: Cast, folder: Path) -> None:
    import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    charged = [(charge.submission.run_id, charge.at.date()) for charge in Charge.objects.order_by("at")]
    assert charged == [("R1", date(2026, 1, 10)), ("R2", date(2026, 3, 1)), ("R3", date(2026, 3, 1))]


def test_an_import_gives_the_same_standings_as_submitting_one_by_one(cast: Cast, folder: Path) -> None:
    """The same runs on two boards with the same labels: scores, shown scores, claims and holder agree."""
    submissions = import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    settle(cast.board, submissions)
    other = make_board("one-by-one", cast.organiser)
    by_hand = replace(cast, board=other)
    upload = make_upload(other, None, cast.organiser, run_text(even_ranks(8), name="base"))
    check_upload(upload.pk)
    upload.refresh_from_db()
    settle(other, [add_baseline(upload, RunCard(name="base"), by=cast.organiser)])
    settled(by_hand, "early", 6)
    settled(by_hand, "later", 2, team=cast.other_team, user=cast.stranger)
    settled(by_hand, "worse", 7, team=cast.other_team, user=cast.stranger)

    def standing(board: Board) -> list[object]:
        board.refresh_from_db()
        runs = board.submissions.order_by("number")
        claims = board.claims.order_by("number")
        return [
            board.holder.run_id if board.holder else None,
            [(run.run_id, run.name, run.score, run.shown_score, run.state) for run in runs],
            [
                (each.number, each.submission.run_id, each.holder.run_id, each.p, each.level, each.passed)
                for each in claims
            ],
            (board.claims_tested, board.level_carried),
        ]

    assert standing(cast.board) == standing(other)
    assert cast.board.holder is not None
    assert cast.board.holder.run_id == "R2"


def test_an_import_is_on_record(cast: Cast, folder: Path) -> None:
    import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    said = [entry.what for entry in cast.board.audit.order_by("number")]
    assert said[0] == "Imported B1, submitted on 2026-01-10"
    assert said[-1] == "Imported 4 runs of the past, 2026-01-10 to 2026-03-01"
    assert all("Kestrel" not in entry for entry in said)
    assert find_break(cast.board) is None


def test_the_worker_finds_the_runs_queued_and_mails_nobody(cast: Cast, folder: Path) -> None:
    made = import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    scores = OxTask.objects.filter(task_path__endswith="queue.score")
    assert scores.count() == 1, "the others are queued one after the other"
    assert all(run.told_at is not None for run in made)
    run_tasks(queues=[URGENT], raise_failures=True)
    assert scores.filter(status="SUCCESSFUL").count() == 4


def test_workers_leave_the_files_of_an_import_to_it(cast: Cast, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that check a file count as two deaths of whatever read it, and so a good file is refused."""
    queued = []

    def look_then_check(pk: int) -> None:
        queue_forgotten()
        queue_next(cast.organiser.pk)
        queued.append(OxTask.objects.count())
        check_sender(cast.board, None, cast.organiser)  # nor do they keep the organiser from sending one
        check_upload(pk)

    monkeypatch.setattr(importing, "check_upload", look_then_check)
    import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    assert queued == [0, 0, 0, 0]


def test_files_of_an_import_that_was_killed_are_checked_by_a_worker_after_a_day(
    cast: Cast, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "check_upload", fail_suddenly)
    monkeypatch.setattr(importing, "forget", print)
    with pytest.raises(KeyboardInterrupt):
        import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    Upload.objects.update(sent_at=timezone.now() - timedelta(hours=23))
    queue_forgotten()
    assert not OxTask.objects.exists()
    Upload.objects.update(sent_at=timezone.now() - timedelta(hours=25))
    queue_forgotten()
    run_tasks(queues=[URGENT], raise_failures=True)
    assert list(Upload.objects.values_list("state", flat=True)) == ["accepted"] * 4


def fail_suddenly(pk: int) -> None:
    raise KeyboardInterrupt


def test_a_file_that_is_forgotten_on_the_page_meanwhile_imports_nothing(
    cast: Cast, folder: Path, django_capture_on_commit_callbacks: CaptureOnCommit
) -> None:
    def forget_first(_: str) -> None:
        put_aside(Upload.objects.order_by("pk")[0], unsubmitted())

    refused = pytest.raises(InputError, match=r"base\.run: found its file forgotten or submitted by somebody meanwhile")
    with nothing_stored(django_capture_on_commit_callbacks), refused:
        import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser, on_progress=forget_first)


def test_a_list_of_files_does_as_well_as_a_folder(cast: Cast, folder: Path) -> None:
    files = sorted(folder.iterdir())
    assert len(import_runs(cast.board, files, metadata_of(folder), by=cast.organiser)) == 4


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("early,Kestrel Lab,2026-01-10", "Found no row for worse in the metadata"),
        (
            "early,Kestrel Lab,2026-01-10\nworse,Old Guard,2026-01-11\ngone,Old Guard,2026-01-12",
            "Found no file for gone",
        ),
        ("early,,2026-01-10\nworse,Old Guard,2026-01-11", "Found no team for run 'early'"),
        ("early,Kestrel Lab,\nworse,Old Guard,2026-01-11", "Found no date for run 'early'"),
        ("early,Kestrel Lab,2126-01-10\nworse,Old Guard,2026-01-11", "expected a day that has come"),
        (
            "early,Organisers,2026-01-10\nworse,Old Guard,2026-01-11",
            "Run 'early': Found 'Organisers', which boards use",
        ),
    ],
)
def test_metadata_that_does_not_fit_the_files_imports_nothing(cast: Cast, folder: Path, row: str, says: str) -> None:
    (folder.parent / "runs.csv").write_text(f"run,team,date\n{row}\n")
    for name in ("base", "later"):
        (folder / f"{name}.run").unlink()
    before = stored()
    with pytest.raises(InputError, match=says):
        import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    assert stored() == before
    assert not cast.board.audit.exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"q01 Q0 d1 1 1.0 x\nq01 Q0 d1 2 0.9 x\n", "later.run: "),
        (b"\x00\x01\x02\x03", "later.run: "),
        (b"", "later.run: "),
        (b"x1 Q0 d1 1 1.0 x\n", "later.run: None of the 60 queries of this board is in the file."),
    ],
)
def test_one_faulty_file_imports_nothing(
    cast: Cast, folder: Path, content: bytes, says: str, django_capture_on_commit_callbacks: CaptureOnCommit
) -> None:
    (folder / "later.run").write_bytes(content)
    with nothing_stored(django_capture_on_commit_callbacks), pytest.raises(InputError, match=says) as refused:
        import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)
    assert "Nothing was imported" in str(refused.value)
    assert not cast.board.audit.exists()


def test_a_failure_in_the_last_step_imports_nothing(
    cast: Cast,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: CaptureOnCommit,
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(importing, "record", fail)
    with nothing_stored(django_capture_on_commit_callbacks), pytest.raises(OSError, match="the disk is full"):
        import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)


@pytest.mark.parametrize(
    ("known", "says"),
    [
        ({"anonymous_until": date(2027, 5, 1)}, "Run 'early': Anonymous until: found 2027-05-01"),
        ({"description": "x" * 2001}, "Run 'early': Found a description of 2,001 letters"),
        ({"tags": tuple("abcdef")}, "Run 'early': Found 6 tags of up to 1 letters"),
        ({"seed": "9" * 41}, "Run 'early', seed: "),
    ],
)
def test_words_that_the_form_would_refuse_are_refused(
    cast: Cast, folder: Path, known: dict[str, object], says: str
) -> None:
    entry = RunMetadata(name="early", team="Kestrel Lab", date=date(2026, 1, 10), **known)  # type: ignore[arg-type]  # each is one of its fields
    before = stored()
    with pytest.raises(InputError, match=says):
        import_runs(cast.board, [folder / "early.run"], Metadata(entries=(entry,)), by=cast.organiser)
    assert stored() == before


def test_names_that_differ_in_case_alone_are_refused(
    cast: Cast, folder: Path, django_capture_on_commit_callbacks: CaptureOnCommit
) -> None:
    (folder / "EARLY.run").write_bytes(run_text(even_ranks(3)))
    entries = tuple(RunMetadata(name=name, team="Kestrel Lab", date=date(2026, 1, 10)) for name in ("early", "EARLY"))
    files = [folder / "early.run", folder / "EARLY.run"]
    taken = pytest.raises(InputError, match="which another run on this board has")
    with nothing_stored(django_capture_on_commit_callbacks), taken:
        import_runs(cast.board, files, Metadata(entries=entries), by=cast.organiser)


def test_runs_older_than_one_on_the_board_are_refused(cast: Cast, folder: Path) -> None:
    """Claims are tested in order: an earlier run would come too late for them."""
    run = settled(cast, "first", 4)
    run.submitted_at = datetime(2026, 2, 1, tzinfo=UTC)
    run.save()
    with pytest.raises(InputError, match="Found run 'early' of 2026-01-10, before R1 of 2026-02-01"):
        import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)


def test_two_files_of_one_run_are_refused(cast: Cast, folder: Path) -> None:
    (folder / "early.txt").write_bytes(b"x")
    with pytest.raises(InputError, match="both of the run 'early'"):
        import_runs(cast.board, folder, metadata_of(folder), by=cast.organiser)


def test_an_empty_folder_is_refused(cast: Cast, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Found no run file"):
        import_runs(cast.board, tmp_path, Metadata(entries=()), by=cast.organiser)
