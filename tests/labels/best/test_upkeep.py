from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.labels.builders import outcomes_of, votes

from toprung.data.judgments import Judgments, Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError, InputError
from toprung.labels.best.challenge_queue import queue_challenges
from toprung.labels.best.challenges import Challenge, find_challenges
from toprung.labels.best.preference_qrels import to_preference_qrels
from toprung.labels.best.replacement import BestOf, SequentialTest
from toprung.labels.best.tournament import BestAnswers
from toprung.labels.best.upkeep import (
    join_decided,
    pools_to_challenge,
    read_challenges,
    replay_challenges,
    rule_in,
    settle_challenges,
)
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, resolve_pairs

LABELS = Qrels.from_dict({"q": {"A": 1, "B": 0}})
CHALLENGE = Challenge(query_id="q", challenger="N", best=("A",), run="new")


def run_of(**tops: str) -> Run:
    return Run.from_dict({query: {doc: 1.0} for query, doc in tops.items()}, name="new")


def judged(one: str, other: str, wins: int, losses: int, ties: int = 0) -> dict[Pair, PairOutcome]:
    pair = Pair.of("q", one, other)
    a, b = (wins, losses) if one == pair.a else (losses, wins)
    return {pair: PairOutcome(pair=pair, wins_a=a, wins_b=b, ties=ties, n=wins + losses + ties)}


@pytest.mark.parametrize(
    ("counts", "best", "state"),
    [
        ((0, 0), ("A",), "open"),
        ((1, 0), ("A",), "open"),
        ((1, 1), ("A",), "open"),
        ((2, 0), ("N",), "won"),
        ((2, 1), ("N",), "won"),
        ((0, 2), ("A",), "lost"),
        ((1, 0, 2), ("A",), "lost"),
    ],
)
def test_a_challenger_needs_two_of_three_judgments(counts: tuple[int, ...], best: tuple[str, ...], state: str) -> None:
    found = settle_challenges(LABELS, [CHALLENGE], judged("N", "A", *counts) if sum(counts) else {})
    assert found.results["q"].best == best
    assert getattr(found, state) == (CHALLENGE,)
    assert found.open_pairs == ((Pair("q", "A", "N"),) if state == "open" else ())


def test_another_rule_may_ask_for_more() -> None:
    outcomes = judged("N", "A", 2, 0)
    assert settle_challenges(LABELS, [CHALLENGE], outcomes, rule=BestOf(judgments=5)).open == (CHALLENGE,)
    assert settle_challenges(LABELS, [CHALLENGE], outcomes, rule=SequentialTest()).open == (CHALLENGE,)
    assert settle_challenges(LABELS, [CHALLENGE], judged("N", "A", 4, 0), rule=SequentialTest()).won == (CHALLENGE,)


CYCLE = Qrels.from_dict({"q": {"A": 1, "B": 1, "C": 1}})
OF_CYCLE = Challenge(query_id="q", challenger="N", best=("A", "B", "C"), run="new")


def of_cycle(**wins: int) -> dict[Pair, PairOutcome]:
    """A > B > C > A, and the challenger's wins of two judgments over each."""
    found = outcomes_of(["AB", "BC", "CA"])
    for item, won in wins.items():
        found |= judged("N", item, won, 2 - won)
    return found


@pytest.mark.parametrize(
    ("wins", "best", "state"),
    [
        ({"A": 2, "B": 2, "C": 2}, ("N",), "won"),
        # N beats A and B, C beats N: N and C have two wins each, and C won their pair
        ({"A": 2, "B": 2, "C": 0}, ("C",), "lost"),
        # only over A: B and C have two wins, and B beats C
        ({"A": 2, "B": 0, "C": 0}, ("B",), "lost"),
        ({"A": 0, "B": 0, "C": 0}, ("A", "B", "C"), "lost"),
        ({"A": 2, "B": 2}, ("A", "B", "C"), "open"),
    ],
)
def test_a_challenger_of_a_cycle_may_break_it_up(wins: dict[str, int], best: tuple[str, ...], state: str) -> None:
    found = settle_challenges(CYCLE, [OF_CYCLE], of_cycle(**wins))
    assert found.results["q"].best == best
    assert len(getattr(found, state)) == 1


def best_of(*items: str) -> dict[str, BestAnswers]:
    return {"q": BestAnswers(query_id="q", best=items)}


def test_challengers_meet_who_is_best_by_then_in_the_order_they_came() -> None:
    second = replace(CHALLENGE, challenger="M", best=("N",))
    outcomes = judged("N", "A", 2, 0) | judged("M", "N", 2, 1)
    found = replay_challenges(best_of("A"), [CHALLENGE, second], outcomes)
    assert (found.results["q"].best, found.n_won, found.n_lost, found.n_open) == (("M",), 2, 0, 0)
    # queued against A, while the tournament made B the best: that pair nobody judged
    found = replay_challenges(best_of("B"), [CHALLENGE], outcomes)
    assert (found.results["q"].best, found.n_open) == (("B",), 1)
    found = replay_challenges(best_of(), [CHALLENGE], outcomes)
    assert (found.results["q"].best, found.n_open) == ((), 1)
    found = replay_challenges(best_of("A"), [CHALLENGE], judged("N", "A", 1, 2))
    assert (found.results["q"].best, found.n_lost) == (("A",), 1)


def test_the_next_version_of_the_labels_knows_its_parent_and_keeps_the_rest() -> None:
    labels = Qrels.from_dict({"q": {"A": 1}, "r": {"D": 1, "E": 1}})
    judgments = votes("q N A left a1\nq A N right a2")
    upkeep = settle_challenges(labels, [CHALLENGE], resolve_pairs(judgments))
    version = to_preference_qrels(
        upkeep.results,
        parent=labels,
        judgments=judgments,
        policy="best-of-3",
        created=datetime(2026, 1, 1, tzinfo=UTC),
    )
    assert version.qrels.to_dict() == {"q": {"N": 1}, "r": {"D": 1, "E": 1}}
    assert version.manifest.parent == labels.digest
    assert version.manifest.policy == "best-of-3"
    # the same challenger has nothing left to challenge
    assert find_challenges([Pool(query_id="q", items=("A",))], version.qrels, run_of(q="N")).n_best == 1


def test_a_challenge_is_kept_once(tmp_path: Path) -> None:
    state = Effort.open_or_create(tmp_path / "state")
    queue_challenges(state, [CHALLENGE, OF_CYCLE], rule="sequential")
    queue_challenges(Effort.open(tmp_path / "state"), [CHALLENGE], rule="sequential")
    assert read_challenges(state) == [CHALLENGE, OF_CYCLE]
    assert rule_in(state) == SequentialTest()


def test_without_a_noted_rule_challenges_are_best_of_three(tmp_path: Path) -> None:
    assert rule_in(Effort.open_or_create(tmp_path / "state")) == BestOf(judgments=3)


def test_an_unknown_rule_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rule: found 'coin'; expected one of best-of-3"):
        queue_challenges(Effort.open_or_create(tmp_path / "state"), [CHALLENGE], rule="coin")


def test_a_record_that_is_no_challenge_is_told_with_its_line(tmp_path: Path) -> None:
    state = Effort.open_or_create(tmp_path / "state")
    state.append("challenges", [CHALLENGE.to_record(), {"query_id": "q"}])
    with pytest.raises(FormatError, match=r"challenges.jsonl, line 2|challenges.jsonl:2"):
        read_challenges(state)


def test_where_nothing_was_pooled_a_challenger_stays_one_after_it_was_judged(tmp_path: Path) -> None:
    state = Effort.open_or_create(tmp_path / "state")
    queue_challenges(state, [CHALLENGE])
    judgments: Judgments = votes("q A B left\nq A N right")
    assert [pool.items for pool in pools_to_challenge(state, judgments)] == [("A", "B")]


def test_pools_that_were_built_are_taken_as_they_are(tmp_path: Path) -> None:
    from toprung.labels.pools.store import add_pools

    state = Effort.open_or_create(tmp_path / "state")
    pool = Pool(query_id="q", items=("A", "N"))
    add_pools(state, [pool])
    queue_challenges(state, [CHALLENGE])
    assert pools_to_challenge(state, votes("q A N left")) == [pool]


def test_of_two_challenges_of_a_query_the_later_meets_the_winner_of_the_earlier() -> None:
    later = replace(CHALLENGE, challenger="M")
    both_beat_a = judged("N", "A", 2, 0) | judged("M", "A", 2, 0)
    found = settle_challenges(LABELS, [CHALLENGE, later], both_beat_a)
    assert (found.won, found.results["q"].best) == ((CHALLENGE,), ("N",))
    assert found.open == (replace(later, best=("N",)),)
    assert found.open_pairs == (Pair("q", "M", "N"),)
    found = settle_challenges(LABELS, [CHALLENGE, later], both_beat_a | judged("M", "N", 0, 2))
    assert (found.results["q"].best, [each.challenger for each in found.lost]) == (("N",), ["M"])


def test_an_open_challenge_is_of_the_answer_that_has_come_to_be_best() -> None:
    later = replace(CHALLENGE, challenger="M")
    found = settle_challenges(LABELS, [CHALLENGE, later], judged("M", "A", 2, 0))
    assert found.results["q"].best == ("M",)
    assert found.open_pairs == (Pair("q", "M", "N"),)


@pytest.mark.parametrize("label", ["A", "A2"])
def test_every_document_with_the_text_of_a_best_answer_is_best(label: str) -> None:
    pool = Pool(query_id="q", items=("A", "B"), same_text={"A2": "A"})
    labels = Qrels.from_dict({"q": {label: 1}})
    found = settle_challenges(labels, [CHALLENGE], judged("N", "A", 0, 2), pools=[pool])
    assert (found.lost, set(found.results["q"].best)) == ((CHALLENGE,), {"A", "A2"})


@pytest.mark.parametrize(("counts", "items"), [((2, 0), "ABN"), ((0, 2), "ABN"), ((1, 1), "AB"), ((0, 0), "AB")])
def test_decided_challengers_join_the_pool_won_or_lost(counts: tuple[int, int], items: str) -> None:
    pool = Pool(query_id="q", items=("A", "B"), sources={"A": ("old",), "B": ("old",)})
    outcomes = judged("N", "A", *counts) if sum(counts) else {}
    [found] = join_decided([pool], [CHALLENGE], outcomes, rule=BestOf(judgments=3))
    assert found.items == tuple(items)
    assert found.sources.get("N", ()) == (("new",) if "N" in items else ())
