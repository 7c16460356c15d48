"""Which runs share a frame, from verdicts written by hand."""

from __future__ import annotations

import numpy as np
import pytest

from toprung.analyses.leaderboard.evidence import BoardEvidence
from toprung.analyses.leaderboard.groups import count_upset, group_runs
from toprung.analyses.standings.rows import BETTER, IN_CONFLICT, NOT_TOLD_APART, WORSE


def evidence(runs: str, *better: str, conflicts: tuple[str, ...] = ()) -> BoardEvidence:
    """Runs from the top down; "xy" says that x does better than y, or is in conflict with it."""
    relations = np.full((len(runs), len(runs)), NOT_TOLD_APART, dtype=np.int8)
    for winner, loser in better:
        relations[runs.index(winner), runs.index(loser)] = BETTER
        relations[runs.index(loser), runs.index(winner)] = WORSE
    for one, other in conflicts:
        relations[runs.index(one), runs.index(other)] = relations[runs.index(other), runs.index(one)] = IN_CONFLICT
    return BoardEvidence(runs=tuple(runs), relations=relations)


def groups_of(found: BoardEvidence, baselines: str = "") -> list[str]:
    return ["".join(group.runs) for group in group_runs(found, baselines)]


def test_a_group_holds_what_its_first_run_is_not_better_than() -> None:
    assert groups_of(evidence("abcde", "ac", "ad", "ae", "ce")) == ["ab", "cd", "e"]


def test_the_first_run_of_a_group_does_better_than_every_run_below() -> None:
    found = evidence("abcdef", "ac", "ad", "ae", "af", "ce", "bf", "cf", "df")
    groups = groups_of(found)
    for number, group in enumerate(groups):
        for lower in "".join(groups[number + 1 :]):
            assert found.relations["abcdef".index(group[0]), "abcdef".index(lower)] == BETTER


def test_conflicts_stay_in_the_group_and_are_named() -> None:
    (top,) = group_runs(evidence("abc", conflicts=("ac",)), ())
    assert top.words == (
        "a holds the top rung; 1 run cannot be told apart from a; c does better than a in one way and worse in another."
    )


def test_a_baseline_below_the_top_stands_apart_and_one_that_ties_stays() -> None:
    found = evidence("abcd", "ac", "ad")
    assert groups_of(found, "cb") == ["ab", "d", "c"]


@pytest.mark.parametrize(("better", "upset"), [(("ac",), 0), (("ac", "cb"), 1)])
def test_who_stands_above_a_run_that_does_better_is_counted(better: tuple[str, ...], upset: int) -> None:
    found = evidence("abc", *better)  # b ties with a, so it stands above c
    assert count_upset(group_runs(found, ()), found) == upset


def test_everyone_is_in_one_group() -> None:
    rng = np.random.default_rng(3)
    runs = "abcdefghij"
    better = [f"{one}{other}" for i, one in enumerate(runs) for other in runs[i + 1 :] if rng.random() < 0.4]
    assert sorted("".join(groups_of(evidence(runs, *better), "cj"))) == list(runs)
