"""Boards of real runs contradict themselves nowhere: MS MARCO, TREC-COVID, TREC ad hoc and Web (``demo.coherence``)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from demo.coherence import count_compared, find_contradictions
from numpy.typing import NDArray
from tests.boards.engine.real_boards import every_board
from tests.web.cast import Cast, make_labels, make_upload
from tests.web.leaderboard.test_ranking_by_another_measure import compute
from tests.web.telling import told_to

from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.runs import FirstRankColumn, RunState, ScoreColumn, Submission
from toprung.web.core.store.columns import pack

FEW = {"dev215": 6, "trec-covid": 6, "adhoc8_ap": 4, "web2013_ndcg20": 4}
"""Boards that are always looked at, and how many runs of each."""


def open_board(cast: Cast, slug: str, table: FirstRanks | ScoreTable, most_runs: int) -> Board:
    """Its runs in the order of the file, one a day; each is a claim where it scores above the holder."""
    has_ranks = isinstance(table, FirstRanks)
    board = Board.objects.create(
        slug=slug,
        title=slug,
        task="Rank documents.",
        created_by=cast.organiser,
        official_measure=f"RR@{table.cutoff}" if isinstance(table, FirstRanks) else "nDCG@10",
        rule="no_harm" if has_ranks else "measure",
        release="full",
        who_may_submit=Admission.ANYONE,
    )
    BoardRole.objects.create(board=board, user=cast.organiser, role=Role.ORGANISER)
    make_labels(board, LabelUse.OFFICIAL, [f"q{number:04}" for number in range(len(table.values))], is_hidden=False)
    for number in range(min(most_runs, table.values.shape[1])):
        add_column(cast, board, table.runs[number], table.values[:, number], has_ranks=has_ranks)
    compute(board)
    return board


def add_column(cast: Cast, board: Board, name: str, column: NDArray[np.generic], *, has_ranks: bool) -> None:
    ranks = column.astype(np.int32) if has_ranks else np.zeros(len(column), dtype=np.int32)
    found = column.astype(float)
    scores = np.divide(1.0, found, out=np.zeros(len(column)), where=found > 0) if has_ranks else found
    labels, number = board.label_sets.get(use="official"), board.submissions.count() + 1
    run = Submission.objects.create(
        board=board,
        number=number,
        run_id=f"R{number}",
        name=name,
        team=cast.team,
        user=cast.participant,
        upload=make_upload(board, cast.team, cast.participant, b"not read"),
        state=RunState.SCORED,
        submitted_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number),
        score=float(scores.mean()),
    )
    FirstRankColumn.objects.create(submission=run, label_set=labels, packed=pack(ranks))
    ScoreColumn.objects.create(
        submission=run, label_set=labels, measure=board.official_measure, mean=float(scores.mean()), packed=pack(scores)
    )


HERE = ("dev215", "trec-covid")
EVERY = (
    *HERE,
    *(f"adhoc{number}_{measure}" for number in (5, 6, 7, 8) for measure in ("ap", "p10", "rr")),
    *(f"web{year}_{measure}" for year in (2010, 2011, 2012, 2013) for measure in ("err20", "ndcg20")),
)


def look_at(cast: Cast, data: Path, name: str, most_runs: int) -> tuple[list[str], int, int]:
    """All contradictions, and how many runs and pairs were looked at, as everyone and as an organiser."""
    slug, found = name.replace("_", "-"), list[str]()
    table = next(table for each, table in every_board(data) if each == name)
    open_board(cast, slug, table, most_runs)
    for user in (None, cast.organiser):
        told = told_to(user, slug)
        found += find_contradictions(told)
    return found, *count_compared(told)


@pytest.mark.parametrize("name", FEW)
def test_boards_of_real_runs_contradict_themselves_nowhere(cast: Cast, shared_data: Path, name: str) -> None:
    n_runs = FEW[name]
    assert look_at(cast, shared_data, name, n_runs) == ([], n_runs, n_runs * (n_runs - 1) // 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_all_runs_of_a_real_board_contradict_each_other_nowhere(cast: Cast, shared_data: Path, name: str) -> None:
    """Of many runs the pairs of the first 14, which the page shows, are looked at."""
    found, n_runs, n_pairs = look_at(cast, shared_data, name, 200)
    print(f"{name}: {n_runs} runs, {n_pairs} pairs, {len(found)} contradictions")
    assert found == []


def test_every_real_board_is_looked_at(shared_data: Path) -> None:
    assert sorted(EVERY) == sorted([*HERE, *(path.stem for path in (shared_data / "score-matrices").glob("*.csv"))])
