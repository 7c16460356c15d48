"""What labels do the tournaments give?"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm
from tests.labels.builders import votes

from toprung.analyses.best_answers.find import derive_labels
from toprung.data.judgments import Choice, Judgment, Judgments
from toprung.errors import InputError
from toprung.labels.best.challenges import Challenge
from toprung.labels.pools.pool import Pool, pools_of_judgments
from toprung.report.render import OutputFormat, render

# q1: a beats b and c, b beats c. q2: a circle. q3: a pair is missing.
VOTES = votes(
    """q1 a b left
    q1 a c left
    q1 b c left
    q2 a b left
    q2 b c left
    q2 c a left
    q3 a b left
    q3 b c left"""
)
POOLS = [Pool(query_id=query, items=("a", "b", "c"), label="b") for query in ("q1", "q2", "q3")]


def test_labels_queries_and_circles_are_counted() -> None:
    found = derive_labels(VOTES, POOLS, rule="elimination")
    assert found.sentence == (
        "4 labels by elimination: 1 query with one best answer and 1 with several that win over each other in a circle "
        "or tie. 1 query undecided."
    )
    assert found.table.rows == (("undecided", "1", "0"), ("1", "1", "1"), ("3", "1", "3"), ("all", "3", "4"))
    assert found.version.qrels.to_dict() == {"q1": {"a": 1}, "q2": {"a": 1, "b": 1, "c": 1}}


def test_it_says_how_often_old_and_new_labels_win() -> None:
    found = derive_labels(VOTES, POOLS, rule="elimination")
    # New: a wins both its pairs in q1; in q2 all are labels, so that no pair tells them apart.
    assert (found.new_labels.wins, found.new_labels.n) == (2, 2)
    # Old: b wins one of two in q1, one of two in q2; q3 has no label yet.
    assert found.old_labels is not None
    assert (found.old_labels.wins, found.old_labels.n) == (2, 4)
    assert found.notes[:4] == (
        "From 8 votes on 8 pairs of 3 queries.",
        "The new labels win 2 of their 2 decided pairs (100.0%).",
        "The labels the pools came with win 2 of their 4 decided pairs (50.0%).",
        "In 1 of 2 queries the old label is among the best answers.",
    )


def test_missing_pairs_are_asked_for() -> None:
    found = derive_labels(VOTES, POOLS, rule="elimination")
    assert [(pair.query_id, pair.a, pair.b) for pair in found.missing] == [("q3", "a", "c")]
    assert found.notes[-1] == (
        "To decide the others, 1 pair must be judged; --rule strength goes without where the judged ones are enough."
    )


def test_incomplete_queries_are_marked() -> None:
    found = derive_labels(VOTES, POOLS, rule="elimination", allow_incomplete=True)
    assert found.version.manifest.incomplete == ("q3",)
    assert found.version.qrels.to_dict()["q3"] == {"a": 1}
    assert "Incomplete: 1 query decided although pairs were not judged" in found.notes[-1]


def test_without_pools_what_was_judged_is_the_pool() -> None:
    found = derive_labels(VOTES, pools_of_judgments(VOTES), rule="elimination")
    assert found.version.qrels.to_dict() == {"q1": {"a": 1}, "q2": {"a": 1, "b": 1, "c": 1}}
    assert found.old_labels is None


def test_votes_on_an_item_with_the_same_text_decide_its_class() -> None:
    pool = Pool(query_id="q1", items=("a", "b"), same_text={"c": "b"})
    found = derive_labels(votes("q1 a c right"), [pool])
    assert found.version.qrels.to_dict() == {"q1": {"b": 1, "c": 1}}


@pytest.mark.parametrize("output_format", OutputFormat)
def test_it_is_written_in_every_format(output_format: OutputFormat) -> None:
    assert render(derive_labels(VOTES, POOLS), output_format)


def test_every_label_is_in_the_frame_and_the_undecided_too() -> None:
    assert derive_labels(VOTES, POOLS, rule="elimination").to_frame().drop("p_best").rows() == [
        ("q1", "a", 1, 1, 0),
        ("q2", "a", 3, 1, 0),
        ("q2", "b", 3, 1, 0),
        ("q2", "c", 3, 1, 0),
        ("q3", None, 0, 0, 1),
    ]


def chance_of_winner(wins: int) -> float:
    """P(best) of the winner of all votes on a pair: the strengths differ by δ, of which the prior variance is 2 / λ."""
    prior = norm(scale=np.sqrt(2 / 1)).pdf
    above, below = (quad(lambda gap: prior(gap) * expit(gap) ** wins, *ends)[0] for ends in ((0, 50), (-50, 0)))
    return float(above / (above + below))


def test_every_label_carries_the_probability_that_it_is_best() -> None:
    pools = [
        Pool(query_id="one vote", items=("a", "b")),
        Pool(query_id="three votes", items=("a", "b")),
        Pool(query_id="settled", items=("a",), label="a"),
    ]
    judgments = Judgments.of(
        Judgment(judgment_id=f"{n}", query_id=query, left="a", right="b", choice=Choice.LEFT)
        for n, query in enumerate(["one vote", *["three votes"] * 3])
    )
    found = derive_labels(judgments, pools)
    frame = {query: chance for query, _, chance, *_ in found.to_frame().rows()}
    assert frame["one vote"] == pytest.approx(chance_of_winner(1), abs=0.001)
    assert frame["three votes"] == pytest.approx(chance_of_winner(3), abs=0.001)
    assert frame["settled"] is None
    assert found.to_dict()["p_best"] == {query: {"a": frame[query]} for query in ("one vote", "three votes")}
    mean = (chance_of_winner(1) + chance_of_winner(3)) / 2
    assert (
        f"How sure: a label with judged pairs is the best of its pool with P = {mean:.2f} in the mean (Bradley–Terry, "
        "prior λ = 1, too few queries to estimate it)."
    ) in found.notes


def test_the_answers_of_a_circle_share_the_probability() -> None:
    chances = derive_labels(VOTES, POOLS, rule="elimination").p_best["q2"]
    assert sum(chances.values()) == pytest.approx(1)
    assert list(chances.values()) == pytest.approx([1 / 3] * 3, abs=0.03)


def test_a_challenger_that_has_won_carries_it_too() -> None:
    challenge = Challenge(query_id="q1", challenger="n", best=("a",), run="new")
    judgments = votes("q1 a b left\nq1 n a left w1\nq1 n a left w2")
    found = derive_labels(judgments, [Pool(query_id="q1", items=("a", "b"))], challenges=[challenge])
    assert list(found.p_best["q1"]) == ["n"]
    assert found.p_best["q1"]["n"] > 1 / 3


def test_where_pairs_are_missing_strength_is_the_rule_and_the_unsure_get_no_label() -> None:
    found = derive_labels(VOTES, POOLS)
    assert found.sentence == (
        "2 labels by strength at P(best) ≥ 0.5: 2 queries with one best answer. 1 query left without a new label, for "
        "none is that sure."
    )
    assert found.version.qrels.to_dict() == {"q1": {"a": 1}, "q3": {"a": 1}}
    manifest = found.version.manifest
    assert (manifest.rule, manifest.at_least, manifest.penalty) == ("strength", 0.5, 1.0)
    assert found.to_dict()["unsure"] == ["q2"]


def test_judged_once_and_whole_elimination_is_the_rule() -> None:
    assert derive_labels(VOTES, POOLS[:2]).version.manifest.rule == "elimination"


def test_more_is_asked_of_a_label_than_there_is() -> None:
    sure = derive_labels(VOTES, POOLS, at_least=0.6)
    assert sure.version.qrels.to_dict() == {"q1": {"a": 1}}  # P(best) is 0.66 there and 0.55 in q3
    with pytest.raises(InputError, match="Found no decided query among 3"):
        derive_labels(VOTES, POOLS, at_least=0.9)


def test_soft_labels_are_p_best_in_percent_and_sum_to_a_hundred() -> None:
    found = derive_labels(VOTES, POOLS, soft=True)
    grades = found.version.qrels.to_dict()
    assert grades["q2"] == {"a": 33, "b": 33, "c": 33}
    assert list(grades) == ["q1", "q2", "q3"]
    assert all(98 <= sum(docs.values()) <= 102 for docs in grades.values())
    assert found.version.manifest.is_soft
    with pytest.raises(InputError, match="found 'votes' for soft labels; expected strength"):
        derive_labels(VOTES, POOLS, soft=True, rule="votes")


def test_most_single_votes_win_by_votes() -> None:
    found = derive_labels(VOTES, POOLS, rule="votes")
    # q3: a and b won one vote each, by whom they were shown with
    assert found.version.qrels.to_dict()["q3"] == {"a": 1, "b": 1}
    assert found.sentence.startswith("6 labels by votes: ")


def test_votes_outside_the_pools_are_in_the_totals_and_inform_the_labels() -> None:
    judgments = votes("q1 a x left\nq1 x b left\nq9 m n left")
    found = derive_labels(judgments, [Pool(query_id="q1", items=("a", "b"))])
    assert found.version.qrels.to_dict() == {"q1": {"a": 1}}
    assert found.notes[0] == "From 3 votes on 3 pairs of 2 queries, 3 of them on answers outside the pools."
