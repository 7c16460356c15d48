"""How often do two votes on one pair say the same? People with people, and language models with people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from toprung.analyses.diagnose.result import COINS, PEOPLE, ComparedShare
from toprung.data.judgments import Judgment, Pair
from toprung.stats.intervals.clustered_share import clustered_share
from toprung.stats.intervals.proportions import Share
from toprung.words.floors import FEWEST
from toprung.words.wording import show_share

type Winners = Mapping[Pair, Counter[str | None]]
"""For each pair how many votes each answer won; None for votes for neither."""


def repeats(people: Iterable[Judgment]) -> Iterable[ComparedShare]:
    repeated = {pair: winners for pair, winners in _by_pair(people).items() if winners.total() > 1}
    if repeated:
        ties = _share_of_ties(repeated)
        yield beside_coins(
            "repeated pairs agree",
            f"{PEOPLE} with {PEOPLE}",
            _agreement(repeated),
            chance=by_chance(ties, ties),
            said=f"{PEOPLE} agree on repeated pairs",
        )


def side_agreement(people: Iterable[Judgment]) -> Share | None:
    """Of two votes on a pair that both chose a side; votes for neither are left out."""
    sides = _by_pair(each for each in people if each.winner is not None)
    repeated = {pair: winners for pair, winners in sides.items() if winners.total() > 1}
    return _agreement(repeated) if repeated else None


def models_and_people(models: Mapping[str, Iterable[Judgment]], people: Iterable[Judgment]) -> Iterable[ComparedShare]:
    """A model's agreement with people, and on the pairs that several people judged beside theirs."""
    of_people = _by_pair(people)
    for model, votes in models.items():
        of_model = _by_pair(votes)
        common = {pair: winners for pair, winners in of_people.items() if pair in of_model}
        if common:
            of_model = {pair: of_model[pair] for pair in common}
            yield beside_coins(
                "agrees with people",
                model,
                _agreement(common, of_model),
                chance=by_chance(_share_of_ties(common), _share_of_ties(of_model)),
                said=f"{model} agrees with {PEOPLE}",
            )
        repeated = {pair: winners for pair, winners in common.items() if winners.total() > 1}
        if repeated:
            yield _beside_people(model, repeated, of_model)


def beside_coins(
    what: str, who: str, share: Share, *, chance: float, said: str, unit: str = "pair of votes"
) -> ComparedShare:
    """With a doubt if it is no more than by chance, or might be no more though there are many."""
    is_doubtful = share.estimate <= chance or (share.low <= chance and share.trials >= FEWEST)
    doubt = f"{said} in {show_share(share.estimate)}, not clearly more than coins would ({show_share(chance)})"
    return ComparedShare(
        what=what,
        who=who,
        share=share,
        unit=unit,
        beside=COINS,
        expected=chance,
        suspicion=doubt if is_doubtful else "",
    )


def by_chance(ties: float, other_ties: float) -> float:
    """How often two votes agree that are for neither as often as they are, and else for a side by a coin.

    >>> by_chance(0, 0), by_chance(0.5, 0.5)
    (0.5, 0.375)
    """
    return ties * other_ties + (1 - ties) * (1 - other_ties) / 2


def _share_of_ties(votes: Winners) -> float:
    return sum(winners[None] for winners in votes.values()) / sum(winners.total() for winners in votes.values())


def _beside_people(model: str, of_people: Winners, of_model: Winners) -> ComparedShare:
    share, among_people = _agreement(of_people, of_model), _agreement(of_people).estimate
    doubt = f"{model} agrees with people less ({show_share(share.estimate)}) than they do with each other"
    return ComparedShare(
        what="… on repeated pairs",
        who=model,
        share=share,
        unit="pair of votes",
        beside="people there",
        expected=among_people,
        suspicion=doubt if share.high < among_people else "",
    )


def _by_pair(votes: Iterable[Judgment]) -> dict[Pair, Counter[str | None]]:
    found: dict[Pair, Counter[str | None]] = {}
    for vote in votes:
        found.setdefault(vote.pair, Counter())[vote.winner] += 1
    return found


def _agreement(votes: Winners, others: Winners | None = None) -> Share:
    """How often two votes on one pair say the same: two of these, or one of these and one of the others.

    Votes on one query are alike, so that the interval takes queries as its unit.
    """
    same, total = Counter[str](), Counter[str]()
    for pair, winners in votes.items():
        if others is None:
            same[pair.query_id] += sum(map(_n_twos, winners.values()))
            total[pair.query_id] += _n_twos(winners.total())
        elif pair in others:
            same[pair.query_id] += sum(n * others[pair][winner] for winner, n in winners.items())
            total[pair.query_id] += winners.total() * others[pair].total()
    queries = sorted(total)
    return clustered_share([same[query_id] for query_id in queries], [total[query_id] for query_id in queries])


def _n_twos(n: int) -> int:
    return n * (n - 1) // 2
