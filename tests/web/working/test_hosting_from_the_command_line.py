"""``toprung host``: boards made and filled on the machine that hosts them, as the pages do it; faults said in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from django_ox.testing import run_tasks
from tests.web.cast import Cast, even_ranks, make_user, run_text
from tests.web.runs import settled
from tests.web.versions import ANSWERS, OTHER_ANSWERS, write_labels

from toprung.cli.server.host import host
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.labels.best.preference_qrels import PreferenceQrels, QrelsManifest, write_preference_qrels
from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.services.boards.history import KIND

pytestmark = pytest.mark.postgres

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "board.toml"


@pytest.fixture(autouse=True)
def in_this_database(monkeypatch: pytest.MonkeyPatch, cast: Cast) -> None:
    """Django is set up already, and the database is that of the tests."""
    monkeypatch.setattr("toprung.web.ops.start.open_or_make", lambda _: None)
    monkeypatch.setattr("toprung.web.ops.start.open_folder", lambda _: None)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(host, [str(each) for each in arguments], catch_exceptions=False)


def test_a_board_is_made_from_a_file(cast: Cast) -> None:
    said = run("create", EXAMPLE).output
    assert said == "Harbour questions is at /b/harbour-questions/, organised by organiser@example.org.\n"
    assert Board.objects.get(slug="harbour-questions").created_by == cast.organiser


def test_who_makes_it_must_be_named_where_there_are_several(cast: Cast) -> None:
    make_user("second", may_create_boards=True)
    with pytest.raises(InputError, match=r"expected one of organiser@example\.org, second"):
        run("create", EXAMPLE)
    run("create", EXAMPLE, "--organiser", "second@example.org")
    assert Board.objects.get(slug="harbour-questions").created_by.email == "second@example.org"


def test_the_first_organiser_is_made_with_the_first_board(cast: Cast) -> None:
    cast.organiser.may_create_boards = False
    cast.organiser.save()
    run("create", EXAMPLE)
    assert Board.objects.get(slug="harbour-questions").created_by.email == "organiser@localhost"


def test_every_fault_of_the_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text('slug = "x"\nquota = "two"\n')
    with pytest.raises(InputError) as refused:
        run("create", path)
    assert str(refused.value).splitlines() == [
        "title: found nothing; expected some words.",
        "task: found nothing; expected some words.",
        "quota: found 'two'; expected a whole number.",
        "labels: found no [[labels]]; expected at least the official ones.",
    ]


def test_a_folder_of_runs_is_scored_at_once(cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toprung.web.services.boards.import_runs.compute_results", lambda _: None)
    monkeypatch.setattr("toprung.web.services.boards.import_runs.compute_validity", lambda _: None)
    runs = tmp_path / "runs"
    runs.mkdir()
    for name, rank in {"old": 6, "new": 1}.items():
        (runs / f"{name}.txt").write_bytes(run_text(even_ranks(rank)))
    metadata = tmp_path / "runs.csv"
    metadata.write_text("run,team,date\nold,Kestrel Lab,2026-01-01\nnew,Norrland IR,2026-02-01\n")
    said = run("import-runs", "web-docs", runs, "--metadata", metadata).output
    assert said == "2 runs on Web Docs: 1 claim, R2 is the holder.\n"


def test_a_published_leaderboard_is_shown(cast: Cast, tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_text("id,date,score\nbm25,2020-01-01,0.2\ndense,2020-02-01,0.3\n")
    said = run("import-leaderboard", "web-docs", path).output
    assert said.startswith("dense has had the highest score, 0.3, since 2020-02-01")
    assert cast.board.results.filter(kind=KIND).count() == 2


def test_a_board_that_is_not_there_is_named(cast: Cast, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Found no board 'gone'; expected one of those there: elsewhere, web-docs"):
        run("import-leaderboard", "gone", tmp_path)


def test_who_imports_must_organise_the_board(cast: Cast, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Found no organiser stranger@example"):
        run("import-leaderboard", "web-docs", tmp_path, "--organiser", "stranger@example.org")
    BoardRole.objects.create(board=cast.board, user=cast.mate, role=Role.ORGANISER)
    with pytest.raises(InputError, match="--organiser: found nobody named"):
        run("import-leaderboard", "web-docs", tmp_path)


def test_labels_are_published(cast: Cast, tmp_path: Path) -> None:
    labels = write_labels(tmp_path / "new.txt", OTHER_ANSWERS)
    said = run("publish-labels", "web-docs", labels, "--changes", "Twenty were judged again.").output
    assert said == (
        "Web Docs: labels official v2 on 40 queries are published.\n"
        "The workers score 0 runs on them; until then the board goes by official v1.\n"
    )
    stored = cast.board.label_sets.get(use="official", version=2)
    assert (stored.source, stored.changes, stored.published_by) == (
        "given",
        "Twenty were judged again.",
        cast.organiser,
    )


def test_labels_of_judgments_are_known_by_their_manifest(cast: Cast, tmp_path: Path) -> None:
    made = PreferenceQrels(
        qrels=Qrels.from_dict(OTHER_ANSWERS),
        manifest=QrelsManifest(
            digest=Qrels.from_dict(OTHER_ANSWERS).digest,
            parent=None,
            judgments_digest="sha256:0",
            policy="majority",
            created="2026-01-01",
            n_queries=40,
            n_labels=40,
            n_undecided=0,
            incomplete=(),
        ),
    )
    write_preference_qrels(made, tmp_path / "preference.txt")
    run("publish-labels", "web-docs", tmp_path / "preference.txt", "--changes", "By preference.")
    assert cast.board.label_sets.get(use="official", version=2).source == "preference"


def test_publishing_is_followed_until_the_labels_are_current(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toprung.cli.hosted.following.time.sleep", lambda _: run_tasks(raise_failures=True))
    labels = write_labels(tmp_path / "new.txt", OTHER_ANSWERS)
    said = run("publish-labels", "web-docs", labels, "--changes", "New.", "--wait").output
    assert said.endswith("Labels official v2 are current, and the pages show them.\n")


def test_what_keeps_labels_from_becoming_current_is_said(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(settled(cast, "first", 2).upload.parquet.path).unlink()
    monkeypatch.setattr("toprung.cli.hosted.following.time.sleep", lambda _: run_tasks(raise_failures=True))
    labels = write_labels(tmp_path / "new.txt", OTHER_ANSWERS)
    with pytest.raises(InputError, match="R1 could not be scored on official v2: FileNotFoundError"):
        run("publish-labels", "web-docs", labels, "--changes", "New.", "--wait")


def test_labels_that_are_the_same_are_refused(cast: Cast, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"same\.txt: found the same labels as official v1"):
        run("publish-labels", "web-docs", write_labels(tmp_path / "same.txt", ANSWERS), "--changes", "Nothing.")
