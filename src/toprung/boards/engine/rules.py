"""What must a claim show? The rules that a board may choose from, fixed before its first claim."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toprung.boards.engine.margins import USUAL_MARGINS, Margins
from toprung.boards.engine.parts import PairParts
from toprung.errors import InputError, check_choice
from toprung.stats.inputs import check_share
from toprung.stats.sequences.online import DEFAULT_GAMMA, Gamma, OnlineTest
from toprung.stats.tests.pair import PairTest

LARGEST_P_OF_MEASURE = 0.10
"""Under ``NO_HARM`` the measure itself must point to the run at least so far."""


class Rule(StrEnum):
    """What a claim must show."""

    MEASURE = "measure"
    """That the mean of the official measure is higher, beyond chance."""
    NO_HARM = "no_harm"
    """That, or that it answers more queries; and that harm is excluded, in what it answers and how high it ranks."""
    BOTH = "both"
    """That it answers more queries and ranks the answers higher: "significant" of Lin et al. 2021."""
    SCORE = "score"
    """Nothing but a higher score."""

    @property
    def is_tested(self) -> bool:
        return self is not Rule.SCORE

    @property
    def needs_ranks(self) -> bool:
        return self in (Rule.NO_HARM, Rule.BOTH)


def read_rule(text: str) -> Rule:
    """The rule of that name.

    >>> read_rule("no_harm").needs_ranks
    True
    """
    check_choice(text, Rule, name="rule")
    return Rule(text)


@dataclass(frozen=True, kw_only=True)
class ClaimPolicy:
    """What a claim must show and the level it is held to, fixed before the first one."""

    rule: Rule = Rule.MEASURE
    alpha: float = 0.05
    gamma: Gamma = DEFAULT_GAMMA
    margins: Margins = USUAL_MARGINS

    def __post_init__(self) -> None:
        object.__setattr__(self, "rule", read_rule(self.rule))
        check_share(self.alpha, name="alpha")

    @property
    def is_tested(self) -> bool:
        return self.rule.is_tested

    def start(self) -> OnlineTest:
        """Where the sequence of claims stands before the first."""
        return OnlineTest(alpha=self.alpha, gamma=self.gamma)

    def check(self, measure: str, *, has_ranks: bool) -> None:
        """Refuse a rule that the measure gives nothing to test by."""
        if self.rule.needs_ranks and not has_ranks:
            raise InputError(
                f"rule: found '{self.rule}' with {measure}, which has no first ranks; expected 'measure', or a measure "
                "of the first relevant document such as RR@10."
            )


def claim_p(parts: PairParts, rule: Rule) -> float:
    """The p-value of the claim that B is better; a part that points to A counts as 1."""
    measure = _towards_b(parts.measure)
    if not rule.needs_ranks:
        return measure
    if parts.answered is None or parts.ranking is None:
        raise InputError(f"rule: found '{rule}' for a pair without first ranks; expected 'measure'.")
    if rule is Rule.BOTH:
        return max(_towards_b(parts.answered), _towards_b(parts.ranking))
    if measure > LARGEST_P_OF_MEASURE:
        return 1.0
    return min(1.0, 2 * min(measure, _towards_b(parts.answered)))


def _towards_b(found: PairTest) -> float:
    return found.p if found.favours > 0 else 1.0
