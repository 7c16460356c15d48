"""Who holds the top rung once the next run has come, by hand."""

from __future__ import annotations

import pytest

from toprung.boards.succession import Entrant, seat, succeed


def run(score: float) -> Entrant[str]:
    return Entrant(run=f"run {score}", score=score)


def baseline(score: float) -> Entrant[str]:
    return Entrant(run=f"baseline {score}", score=score, is_baseline=True)


def holder_of(*entrants: Entrant[str], passes: bool) -> tuple[str, int]:
    """Who holds the rung in the end, and how many claims were heard."""
    holder, heard = None, list[Entrant[str]]()

    def decide(entrant: Entrant[str], _: Entrant[str]) -> bool:
        heard.append(entrant)
        return passes

    for each in entrants:
        holder = succeed(holder, each, passes=decide)
    assert holder is not None
    return holder.run, len(heard)


@pytest.mark.parametrize(
    ("entrants", "holder", "n_claims"),
    [
        ([run(0.2)], "run 0.2", 0),
        ([baseline(0.2)], "baseline 0.2", 0),
        ([run(0.2), run(0.3)], "run 0.3", 1),
        ([run(0.3), run(0.2)], "run 0.3", 0),
        ([run(0.2), baseline(0.3)], "run 0.2", 0),
        ([baseline(0.2), baseline(0.3)], "baseline 0.3", 0),
        ([baseline(0.3), baseline(0.2)], "baseline 0.3", 0),
        ([baseline(0.2), run(0.1), baseline(0.3)], "baseline 0.3", 0),
        ([baseline(0.2), run(0.3), baseline(0.4)], "run 0.3", 1),
    ],
)
def test_who_holds_the_rung_where_every_claim_passes(entrants: list[Entrant[str]], holder: str, n_claims: int) -> None:
    assert holder_of(*entrants, passes=True) == (holder, n_claims)


def test_a_claim_that_does_not_pass_takes_nothing() -> None:
    assert holder_of(baseline(0.2), run(0.3), baseline(0.4), passes=False) == ("baseline 0.4", 1)


@pytest.mark.parametrize("are_baselines", [False, True])
def test_scores_that_differ_by_rounding_are_equal(are_baselines: bool) -> None:
    first, second = (
        Entrant(run=name, score=score, is_baseline=are_baselines)
        for name, score in (("first", 0.3), ("second", 0.1 + 0.2))
    )
    assert not second.is_above(first)
    assert holder_of(first, second, passes=True) == ("first", 0)


def test_without_a_claim_no_run_follows_another() -> None:
    assert seat(run(0.2), run(0.3)).run == "run 0.2"
    assert seat(baseline(0.2), run(0.3)).run == "baseline 0.2"
