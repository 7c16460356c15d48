"""Whose votes count?"""

from __future__ import annotations

import pytest

from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments
from toprung.errors import InputError
from toprung.labels.votes.outcomes import resolve_pairs
from toprung.labels.votes.voters import are_of_models, choose_voters, models_among, with_people_beside

ROWS = (("ann", AssessorKind.HUMAN), ("bob", AssessorKind.HUMAN), ("m1", AssessorKind.LLM), ("m2", AssessorKind.LLM))


def votes(*also: Judgment) -> Judgments:
    """One vote of each, of m2 for the other answer."""
    made = (
        Judgment(
            judgment_id=name,
            query_id="q",
            left="a",
            right="b",
            choice=Choice.RIGHT if name == "m2" else Choice.LEFT,
            assessor=name,
            kind=kind,
        )
        for name, kind in ROWS
    )
    return Judgments.of([*made, *also])


def names(judgments: Judgments) -> list[str]:
    return [each.assessor for each in judgments.rows]


def test_without_names_people_count_or_the_kinds_asked_for() -> None:
    found, kinds = choose_voters(votes())
    assert (names(found), set(kinds)) == (["ann", "bob", "m1", "m2"], {"human", "import"})
    assert choose_voters(votes(), (), ["llm"])[1] == ("llm",)


@pytest.mark.parametrize(("name", "winner"), [("m1", "a"), ("m2", "b"), ("ann", "a")])
def test_a_name_counts_alone_whatever_its_kind(name: str, winner: str) -> None:
    found, kinds = choose_voters(votes(), [name])
    [outcome] = resolve_pairs(found, kinds=kinds).values()
    assert (outcome.winner, outcome.n) == (winner, 1)


def test_what_was_taken_back_stays_taken_back() -> None:
    undone = Judgment(
        judgment_id="x", query_id="q", left="a", right="b", choice=Choice.SKIP, assessor="ann", supersedes="ann"
    )
    with pytest.raises(InputError, match="no votes of an assessor 'ann'"):
        choose_voters(votes(undone), ["ann"])


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"assessor 'm3'; expected one who voted here: 'ann', 'bob', 'm1'"):
        choose_voters(votes(), ["m1", "m3"])
    with pytest.raises(InputError, match=r"assessor 'ann'; expected one who voted here: 'm1'"):
        choose_voters(votes(), ["ann"], ["llm"])


def test_models_are_told_apart_from_people() -> None:
    assert models_among(votes(), list(AssessorKind)) == ["m1", "m2"]
    assert models_among(votes(), ["human"]) == []
    assert are_of_models(votes(), ["llm"])
    assert not are_of_models(votes(), ["llm", "human"])
    assert not are_of_models(Judgments.of([]), ["llm"])


def test_a_model_is_held_against_people() -> None:
    assert names(with_people_beside(votes(), ["m1"])) == ["ann", "bob", "m1"]
    assert names(with_people_beside(votes(), ["ann", "m1"])) == ["ann", "m1"]
    assert names(with_people_beside(votes(), ())) == ["ann", "bob", "m1", "m2"]
