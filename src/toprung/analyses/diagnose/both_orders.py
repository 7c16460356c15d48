"""What do both orders of a pair say of a model? Whether it stays with its choice, and how far it leans to one side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from toprung.analyses.diagnose.agreement import beside_coins, by_chance
from toprung.analyses.diagnose.result import ComparedShare
from toprung.data.judgments import Choice
from toprung.stats.intervals.proportions import wilson_share
from toprung.stats.models.position_bias import estimate_position_bias
from toprung.words.wording import show_share

EVEN = 0.5
LEANS = {Choice.LEFT: 1, Choice.RIGHT: -1, Choice.TIE: 0}


@dataclass(frozen=True, kw_only=True)
class _Orders:
    """The last answer of one model to each order: query, left, right."""

    choices: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def both(self) -> Iterator[tuple[str, str, str]]:
        """Of each pair asked both ways its query and the two answers, whatever these are."""
        for (query_id, left, right), choice in self.choices.items():
            if left < right and (query_id, right, left) in self.choices:
                yield query_id, choice, self.choices[query_id, right, left]

    def valid(self) -> list[tuple[str, Choice, Choice]]:
        return [(query, Choice(one), Choice(other)) for query, one, other in self.both() if {one, other} <= set(LEANS)]


def figures_of_both_orders(answers: Iterable[Mapping[str, Any]]) -> Iterator[ComparedShare]:
    """For each model whether it stays with its choice when sides are swapped, its bias, and its invalid answers."""
    of_model: dict[str, _Orders] = {}
    for each in answers:
        order = (each["query_id"], each["left"], each["right"])
        of_model.setdefault(str(each["assessor"]), _Orders()).choices[order] = str(each["choice"])
    for who, orders in sorted(of_model.items()):
        valid, n_both = orders.valid(), sum(1 for _ in orders.both())
        if valid:
            yield _same_choice(who, valid)
            yield from _bias(who, valid)
        if n_both:
            share = wilson_share(n_both - len(valid), n_both)
            yield ComparedShare(what="invalid answers", who=who, share=share, unit="pair")


def _same_choice(who: str, valid: list[tuple[str, Choice, Choice]]) -> ComparedShare:
    n_same = sum(LEANS[one] == -LEANS[other] for _, one, other in valid)
    ties = sum((one is Choice.TIE) + (other is Choice.TIE) for _, one, other in valid) / (2 * len(valid))
    return beside_coins(
        "same with sides swapped",
        who,
        wilson_share(n_same, len(valid)),
        chance=by_chance(ties, ties),
        said=f"{who} stays with its choice when sides are swapped",
        unit="pair",
    )


def _bias(who: str, valid: list[tuple[str, Choice, Choice]]) -> Iterator[ComparedShare]:
    found = estimate_position_bias([LEANS[one] + LEANS[other] for _, one, other in valid], [each[0] for each in valid])
    if not found.trials:
        return
    is_biased = not found.low <= EVEN <= found.high
    side, share = ("left", found.estimate) if found.estimate >= EVEN else ("right", 1 - found.estimate)
    yield ComparedShare(
        what="left one of two equals",
        who=who,
        share=found,
        unit="pair",
        beside="no bias",
        expected=EVEN,
        suspicion=f"{who} takes the {side} one of two equally good answers {show_share(share)} of the time"
        if is_biased
        else "",
        note="Left one of two equals: from the pairs on which both orders disagree, whatever the answers are worth. "
        "P(best) from such votes is free of this bias (ties with a rate of their own).",
    )
