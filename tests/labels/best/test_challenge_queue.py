"""Which challenges are to be judged?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.labels.best.challenge_queue import count_open, queue_challenges
from toprung.labels.best.challenges import Challenge
from toprung.labels.best.replacement import BestOf
from toprung.labels.best.upkeep import read_challenges
from toprung.labels.effort.effort import Effort
from toprung.labels.votes.outcomes import PairOutcome


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    return Effort.open_or_create(tmp_path / "state")


def challenges(team: str, n: int, *, first: int = 0) -> list[Challenge]:
    return [
        Challenge(query_id=f"q{i}", challenger=f"{team}{i}", best=("A",), run=f"{team}-run", team=team)
        for i in range(first, first + n)
    ]


def test_a_team_has_only_so_many_open_challenges(effort: Effort) -> None:
    assert queue_challenges(effort, challenges("x", 5), most_per_team=3) == 2
    assert queue_challenges(effort, challenges("y", 2), n_open={"x": 3}) == 0
    # the cap is noted; two of x are decided since
    assert queue_challenges(effort, challenges("x", 5), n_open={"x": 1}) == 0
    assert len(read_challenges(effort)) == 7


def test_without_a_cap_all_are_queued(effort: Effort) -> None:
    assert queue_challenges(effort, challenges("x", 500)) == 0
    assert len(read_challenges(effort)) == 500


def test_a_run_without_a_team_is_one_of_its_own(effort: Effort) -> None:
    lone = [replace(each, team="") for each in challenges("x", 2)]
    others = challenges("y", 2, first=5)
    assert queue_challenges(effort, [*lone, *others], most_per_team=1) == 2
    assert [each.owner for each in read_challenges(effort)] == ["x-run", "y"]


def test_an_answer_that_another_stands_for_takes_no_place(effort: Effort) -> None:
    [one] = challenges("x", 1)
    queue_challenges(effort, [one], most_per_team=1)
    twin = replace(one, run="x-second", same_text=("x0-copy",))
    assert queue_challenges(effort, [twin], n_open={"x": 1}) == 0
    assert read_challenges(effort) == [one, twin]


def test_open_ones_are_counted_for_whoever_found_them_first() -> None:
    labels = Qrels.from_dict({f"q{i}": {"A": 1} for i in range(4)})
    late = [replace(each, team="z") for each in challenges("x", 1)]
    made = [*challenges("x", 3), *late, *challenges("y", 1, first=3)]
    pair = Pair("q1", "A", "x1")
    outcomes = {pair: PairOutcome(pair=pair, wins_a=2, wins_b=0, ties=0, n=2)}
    assert count_open(labels, made, outcomes, rule=BestOf(judgments=3), pools=()) == {"x": 2, "y": 1}
