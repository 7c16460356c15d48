"""The bootstrap tables printed by Craswell et al. 2021 (sections 3.1 and 3.2). Their runs are not public.

What can be held is the shape of the tables, the expected ranks that follow from the printed percentages, and what the
text says of them.
"""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from numpy.typing import NDArray

from toprung.analyses.stability.find import stability
from toprung.data.matrices import ScoreTable
from toprung.stats.ranks.mass import expected_rank

BOOTSTRAP = """\
leaderboard,run,rank1_pct,rank2_pct,rank3_pct,rank4_pct,rank5_pct
passage,1,72.7,25.4,1.9,0,0
passage,2,24.2,62.5,13.3,0,0
passage,3,3.1,12.1,83.9,0.8,0.1
passage,4,0,0,0.6,47.0,27.1
passage,5,0,0,0.2,34.5,34.0
document,1,91.2,7.4,1.4,0,0
document,2,6.8,61.7,21.1,8.6,1.4
document,3,1.6,22.7,36.8,20.2,12.2
document,4,0.4,5.4,17.7,27.0,25.1
document,5,0,0.5,15.9,21.2,22.9
"""


def printed(leaderboard: str) -> NDArray[np.float64]:
    """The shares of the first five runs at the first five ranks."""
    rows = [row for row in csv.DictReader(io.StringIO(BOOTSTRAP)) if row["leaderboard"] == leaderboard]
    return np.array([[float(row[f"rank{rank}_pct"]) for rank in range(1, 6)] for row in rows]) / 100


@pytest.mark.parametrize(("leaderboard", "expected"), [("passage", 1.292), ("document", 1.102)])
def test_the_expected_rank_of_the_first_run(leaderboard: str, expected: float) -> None:
    first = printed(leaderboard)[0]
    assert first.sum() == pytest.approx(1.0)  # it never drops below position 3, as the text says
    assert not first[3:].any()
    assert expected_rank(first) == pytest.approx(expected)


@pytest.mark.parametrize("leaderboard", ["passage", "document"])
def test_no_position_is_given_away_more_than_once(leaderboard: str) -> None:
    shares = printed(leaderboard)
    assert (shares.sum(axis=0) <= 1 + 1e-9).all()
    assert (shares.sum(axis=1) <= 1 + 1e-9).all()


def test_a_board_with_the_spread_of_the_document_leaderboard_has_its_shares() -> None:
    # Two runs whose lead is 1.353 standard errors: the first leads in Φ(1.353) = 91.2% of trials, as printed.
    rng = np.random.default_rng(0)
    difference = rng.normal(size=5793)
    difference = (difference - difference.mean()) / difference.std() + 1.353 / np.sqrt(5793)
    table = ScoreTable(
        query_ids=tuple(f"{query:04d}" for query in range(5793)),
        runs=("first", "second"),
        values=np.column_stack([difference, np.zeros(5793)]),
        measure="RR@100",
    )
    found = stability(table)
    assert found.boards[0].mass[0, 0] == pytest.approx(0.912, abs=0.02)
    assert found.paper_tables()[0].header == ("Leaderboard run", "1", "2")


def test_a_table_of_five_runs_has_the_published_columns_and_percentages() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal([0.40, 0.39, 0.36, 0.33, 0.32, 0.2], 0.3, (400, 6))
    runs = tuple(f"run{number}" for number in range(1, 7))
    query_ids = tuple(f"{query:03d}" for query in range(400))
    table = ScoreTable(query_ids=query_ids, runs=runs, values=values, measure="RR@100")
    shown, _ = stability(table).paper_tables()
    assert shown.header == ("Leaderboard run", "1", "2", "3", "4", "5")
    assert len(shown.rows) == 5
    for row in shown.rows:
        assert all(cell == "0%" or cell[-3] == "." for cell in row[1:])  # 0% is never, else one decimal: 72.7%
