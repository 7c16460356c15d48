"""By which rule does a query get its best answer?"""

from __future__ import annotations

import pytest
from tests.labels.builders import outcomes_of

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.best.resolution import ResolutionRule, default_rule, resolve_queries
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome

ABC = Pool(query_id="q", items=("A", "B", "C"))
CYCLE = outcomes_of(["AB", "BC", "CA"])


def voted(pair: str, wins: int, losses: int, ties: int = 0) -> dict[Pair, PairOutcome]:
    key = Pair("q", *pair)
    return {key: PairOutcome(pair=key, wins_a=wins, wins_b=losses, ties=ties, n=wins + losses + ties)}


def best(outcomes: dict[Pair, PairOutcome], rule: str, *, pool: Pool = ABC, at_least: float | None = None) -> str:
    return "".join(resolve_queries([pool], outcomes, rule=rule, at_least=at_least).results["q"].best)


def test_elimination_is_the_rule_where_every_pair_was_judged_once() -> None:
    assert default_rule([ABC], CYCLE) is ResolutionRule.ELIMINATION
    assert default_rule([ABC], outcomes_of(["AB", "BC"])) is ResolutionRule.STRENGTH
    assert default_rule([ABC], CYCLE | voted("AB", 2, 1)) is ResolutionRule.STRENGTH


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(InputError, match="rule: found 'coin'; expected one of elimination, votes, strength"):
        resolve_queries([ABC], CYCLE, rule="coin")


def test_whoever_was_shown_most_wins_by_votes_and_not_by_strength() -> None:
    # A won 6 of 12 votes against C; B won both of its votes, one against each.
    outcomes = voted("AC", 6, 6) | voted("AB", 0, 1) | voted("BC", 1, 0)
    assert best(outcomes, "votes") == "AC"
    assert best(outcomes, "strength") == "B"


def test_a_vote_for_neither_is_half_a_vote() -> None:
    assert best(voted("AB", 1, 0, ties=1) | voted("BC", 1, 0), "votes") == "AB"


def test_of_a_circle_elimination_keeps_all_and_strength_none() -> None:
    assert best(CYCLE, "elimination") == best(CYCLE, "votes") == "ABC"
    found = resolve_queries([ABC], CYCLE, rule="strength", at_least=0).results["q"]
    assert (found.best, found.is_unsure) == ((), True)


def test_elimination_needs_all_pairs_and_the_others_do_not() -> None:
    outcomes = outcomes_of(["AB", "AC"])
    assert best(outcomes, "elimination") == ""
    assert best(outcomes, "votes") == best(outcomes, "strength") == "A"
    assert resolve_queries([ABC], outcomes, rule="strength").results["q"].is_incomplete


def test_less_sure_than_was_asked_for_leaves_a_query_without() -> None:
    outcomes = outcomes_of(["AB", "AC", "BC"])
    p = resolve_queries([ABC], outcomes).posteriors["q"].confidence
    assert 0.6 < p < 0.7
    assert best(outcomes, "strength", at_least=p - 0.01) == "A"
    assert best(outcomes, "strength", at_least=p + 0.01) == ""
    assert best(outcomes, "elimination", at_least=p + 0.01) == ""
    assert best(outcomes, "elimination") == "A"  # asks for nothing unless told


def test_several_best_answers_are_as_sure_as_all_of_them_together() -> None:
    assert best(CYCLE, "elimination", at_least=0.9) == "ABC"


@pytest.mark.parametrize("at_least", [-0.1, 1.0])
def test_a_level_that_is_no_probability_is_refused(at_least: float) -> None:
    with pytest.raises(InputError, match="at_least: found"):
        resolve_queries([ABC], CYCLE, at_least=at_least)


@pytest.mark.parametrize("rule", ResolutionRule)
def test_pools_of_one_are_settled_by_their_label_alone(rule: str) -> None:
    pools = [Pool(query_id="q", items=("A",), label="A"), Pool(query_id="r", items=("A",))]
    results = resolve_queries(pools, {}, rule=rule).results
    assert (results["q"].best, results["r"].best) == (("A",), ())


@pytest.mark.parametrize("rule", ResolutionRule)
def test_a_pool_that_nobody_judged_has_no_best_answer(rule: str) -> None:
    pools = [Pool(query_id="q", items=("A", "B")), Pool(query_id="r", items=("A", "B"))]
    outcomes = outcomes_of(["XY"])  # of q, and of neither of its answers
    results = resolve_queries(pools, outcomes, rule=rule, at_least=0).results
    assert (results["q"].best, results["r"].best) == ((), ())


def test_votes_on_outsiders_decide_by_strength() -> None:
    found = resolve_queries([Pool(query_id="q", items=("A", "B"))], outcomes_of(["AX", "XB"]), rule="strength")
    assert found.results["q"].best == ("A",)


def test_the_prior_is_estimated_from_twenty_queries_on() -> None:
    few = {pair: each for n in range(19) for pair, each in outcomes_of(["AB", "AC", "BC"], query_id=f"q{n}").items()}
    many = few | outcomes_of(["AB", "AC", "BC"], query_id="q19")
    assert resolve_queries([ABC], few).prior == StrengthPrior(penalty=1.0)
    prior = resolve_queries([ABC], many).prior
    assert (prior.n_queries, prior.penalty < 0.4) == (20, True)  # twenty orders without a circle: strengths spread


@pytest.mark.parametrize(
    ("rule", "at_least", "n_posteriors"), [("elimination", None, 0), ("votes", 0.3, 1), ("strength", None, 1)]
)
def test_how_sure_it_is_may_be_left_out_only_where_nothing_depends_on_it(
    rule: str, at_least: float | None, n_posteriors: int
) -> None:
    votes = {**voted("AB", 3, 0), **voted("AC", 2, 1), **voted("BC", 1, 2)}
    whole = resolve_queries([ABC], votes, rule=rule, at_least=at_least)
    lean = resolve_queries([ABC], votes, rule=rule, at_least=at_least, with_posteriors=False)
    assert lean.results == whole.results
    assert whole.results["q"].best == ("A",)
    assert (len(whole.posteriors), len(lean.posteriors)) == (1, n_posteriors)
