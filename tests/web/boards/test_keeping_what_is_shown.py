"""A run of which nothing is shown leaves what everyone is shown as it is; whatever else changes has it found anew."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.db.models import F
from django.utils import timezone
from tests.web.cast import Cast, make_board, make_labels
from tests.web.leaderboard.test_one_answer import draw_runs
from tests.web.leaderboard.test_ranking_by_another_measure import add_run, compute

from toprung.analyses.significance.find import significance
from toprung.data.matrices import ScoreTable
from toprung.report.charts.kinds import significance_grid
from toprung.web.core.apart.limits import ChildLimits
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import LabelOrigin
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.core.models.runs import FirstRankColumn, ScoreColumn, Submission
from toprung.web.core.store.columns import official_labels, pack
from toprung.web.services.claims.records import released_submissions, settled_submissions
from toprung.web.services.results import compute as computing
from toprung.web.services.results import content, inputs, validity
from toprung.web.services.results.material import Findings

pytestmark = pytest.mark.figures
LADDER = "board-ladder:auto"


def score(ranks: list[int]) -> list[float]:
    return [1 / rank if rank else 0.0 for rank in ranks]


def add(cast: Cast, board: Board, ranks: list[int]) -> None:
    add_run(cast, board, ranks, score(ranks))


def made_of(board: Board) -> str:
    """What everyone is shown, now."""
    fresh = Board.objects.get(pk=board.pk)
    runs = released_submissions(settled_submissions(fresh))
    return Findings(board=fresh, labels=official_labels(fresh), submissions=runs).made_of


def of_public(board: Board) -> dict[tuple[str, str], StoredResult]:
    return {(each.kind, each.key): each for each in board.results.filter(audience=Audience.PUBLIC)}


@pytest.fixture
def grown(cast: Cast) -> Board:
    """Three runs of which each is better than those before; under the ladder all are shown."""
    board = make_board("kept-shown", cast.organiser, release=LADDER)
    for rank in (10, 3, 1):
        add(cast, board, [rank] * 20 + [2] * 20)
    compute(board)
    assert board.submissions.exclude(shown_score=None).count() == 3
    return board


@pytest.fixture
def found_for(monkeypatch: pytest.MonkeyPatch) -> list[Audience]:
    """Whom a board was found for, in order."""
    audiences: list[Audience] = []
    usual = computing.make_board_result

    def noting(material: Any) -> Any:
        audiences.append(material.audience)
        return usual(material)

    monkeypatch.setattr(computing, "make_board_result", noting)
    return audiences


def test_a_run_that_is_not_shown_changes_only_how_many_are_not(
    cast: Cast, grown: Board, found_for: list[Audience]
) -> None:
    before, rows = of_public(grown), list(grown.standings.filter(audience=Audience.PUBLIC).order_by("pk").values())
    add(cast, grown, draw_runs(1)[0])
    compute(grown)
    assert found_for == [Audience.ORGANISERS]
    after = of_public(grown)
    grown.refresh_from_db()
    assert {each.generation for each in after.values()} == {grown.results_due}
    assert before.keys() == after.keys() > {("board", ""), ("timeline", ""), ("stability", ""), ("significance", "")}
    differs = {key for key in before if before[key].content != after[key].content}
    assert differs == {("board", "")} == {key for key in before if before[key].computed_at != after[key].computed_at}
    assert after["board", ""].content == before["board", ""].content | {"n_not_shown": 1}
    assert list(grown.standings.filter(audience=Audience.PUBLIC).order_by("pk").values()) == rows


def test_a_run_that_is_shown_has_it_found_anew(cast: Cast, grown: Board, found_for: list[Audience]) -> None:
    add(cast, grown, [1] * 40)
    compute(grown)
    assert found_for == [Audience.ORGANISERS, Audience.PUBLIC]
    assert of_public(grown)["board", ""].content["n_runs"] == 4


@pytest.mark.parametrize("kind", ["board", "timeline"])
def test_what_a_worker_that_died_left_is_found_anew(grown: Board, found_for: list[Audience], kind: str) -> None:
    """It had stored the board of another state and nothing else, or it is the first time."""
    before = {key: each.content for key, each in of_public(grown).items()}
    grown.results.filter(audience=Audience.PUBLIC, kind=kind).update(made_of="of another state")
    Board.objects.filter(pk=grown.pk).update(results_due=F("results_due") + 1)
    compute(grown)
    assert found_for == [Audience.PUBLIC]
    assert {key: each.content for key, each in of_public(grown).items()} == before


def change_labels(board: Board) -> None:
    board.label_sets.filter(use=LabelUse.OFFICIAL).update(digest="sha256:0")


def change_ranks(board: Board) -> None:
    column = FirstRankColumn.objects.filter(submission__board=board).order_by("pk")[1]
    FirstRankColumn.objects.filter(pk=column.pk).update(packed=pack(np.full(40, 4, dtype=np.int32)))


def change_scores(board: Board) -> None:
    column = ScoreColumn.objects.filter(submission__board=board).order_by("pk")[1]
    ScoreColumn.objects.filter(pk=column.pk).update(packed=pack(np.full(40, 0.25)))


def add_other_measure(board: Board) -> None:
    run, labels = board.submissions.get(run_id="R2"), official_labels(board)
    ScoreColumn.objects.create(
        submission=run, label_set=labels, measure="nDCG@10", mean=0.5, packed=pack(np.full(40, 0.5))
    )


def add_extra_labels(board: Board) -> None:
    make_labels(board, LabelUse.EXTRA, ["q1", "q2"])


def add_doubt(board: Board) -> None:
    LabelOrigin.objects.create(
        label_set=official_labels(board), manifest={}, sureness={}, doubt={"chances": {"q1": {"a": 50, "b": 50}}}
    )


def void_a_claim(board: Board) -> None:
    claim = board.claims.get(number=1)
    type(claim).objects.filter(pk=claim.pk).update(voided_at=timezone.now())


def publish_other_labels(board: Board) -> None:
    """After which those there were are the version before."""
    board.label_sets.filter(use=LabelUse.OFFICIAL).update(version=0, is_current=False)
    make_labels(board, LabelUse.OFFICIAL, ["q1", "q2"])


def of_run(**fields: Any) -> Callable[[Board], object]:
    return lambda board: Submission.objects.filter(board=board, run_id="R2").update(**fields)


def of_board(**fields: Any) -> Callable[[Board], object]:
    return lambda board: Board.objects.filter(pk=board.pk).update(**fields)


@pytest.mark.parametrize(
    "change",
    [
        of_run(shown_score=0.4),
        of_run(score=0.4),
        of_run(name="another name"),
        of_run(tags=["dense"]),
        of_run(said={"latency": 3.0}),
        of_run(anonymous_until=date(2030, 1, 1)),
        of_run(is_baseline=True),
        of_run(submitted_at=timezone.now() - timedelta(days=9)),
        of_run(withdrawn_at=timezone.now()),
        of_board(alpha=0.01),
        of_board(seed=5),
        of_board(rule="score"),
        of_board(release="ladder:0.02"),
        of_board(claims_tested=7),
        of_board(answered_margin=0.1),
        of_board(other_measures=["nDCG@10"]),
        change_labels,
        change_ranks,
        change_scores,
        add_other_measure,
        add_extra_labels,
        add_doubt,
        void_a_claim,
    ],
)
def test_whatever_it_is_made_of_is_seen_to_change(grown: Board, change: Callable[[Board], object]) -> None:
    before = made_of(grown)
    assert made_of(grown) == before == of_public(grown)["stability", ""].made_of
    change(grown)
    assert made_of(grown) != before


def test_so_are_the_labels_the_day_and_the_code(grown: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    of_board(release="closed:2030-01-01")(grown)
    runs, seen = list(grown.submissions.all()), set()

    def look() -> None:
        board = Board.objects.get(pk=grown.pk)
        seen.add(Findings(board=board, labels=official_labels(board), submissions=runs).made_of)

    look()
    with monkeypatch.context() as patched:
        patched.setattr("toprung.web.core.store.disclosing.today", lambda: date(2030, 1, 2))
        look()
    with monkeypatch.context() as patched:
        patched.setattr(inputs, "__version__", "another")
        look()
    publish_other_labels(grown)
    look()
    assert len(seen) == 4


def test_how_a_run_was_sent_has_nothing_found_anew(grown: Board) -> None:
    before = made_of(grown)
    of_run(told_at=timezone.now(), attempts=3)(grown)
    of_board(results_due=70, results_done=70)(grown)
    assert made_of(grown) == before


def test_every_drawing_that_is_stored_comes_from_a_child(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that draws may be ended for its memory, and the worker goes on."""
    drawn: list[str] = []

    def note(work: Callable[..., Any], found: Any, *asked: Any, limits: ChildLimits) -> list[dict[str, str]]:
        pickle.dumps((work, found, asked))  # as it travels to the child
        assert limits == settings.ENVIRONMENT.child_limits
        drawn.extend(each["kind"] for each in work(found, *asked))
        return []

    monkeypatch.setattr(content, "run_apart", note)
    board = make_board("drawn", cast.organiser)
    for ranks in ([1, 0, 3, 2], [0, 2, 1, 1], [2, 1, 0, 1]):
        add(cast, board, ranks * 10)
    compute(board)
    board.label_sets.filter(use=LabelUse.PRIVATE).delete()  # runs have no scores on it
    monkeypatch.setattr(validity, "read_tops", lambda *_, **__: {})  # they have no files either
    validity.compute_validity(board.pk)
    assert {"significance", "rank-differences", "teams"} <= set(drawn)
    assert not any("<svg" in json.dumps(each.content) for each in board.results.all())


def test_a_result_drawn_in_a_child_has_its_figures() -> None:
    scores = ScoreTable(query_ids=("q1", "q2"), runs=("a", "b"), values=np.array([[0.1, 0.2], [0.3, 0.5]]), measure="m")
    (shown,) = content.show_figures(significance(scores), [significance_grid.draw], has_narrow=True)
    assert (shown["kind"], shown["svg"][:4], shown["narrow"][:4]) == ("significance", "<svg", "<svg")
