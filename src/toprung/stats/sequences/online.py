"""May this claim be believed, when claims keep coming on the same queries? Online testing of a sequence.

Online fallback (Tian and Ramdas 2021) keeps the chance of any false rejection below α under any dependence and for
any number of claims: α_t = αγ_t + R_{t−1}α_{t−1}. The γ sequence sums to at most 1 and is fixed before the
first claim.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from toprung.errors import InputError
from toprung.stats.inputs import check_share

type Gamma = Callable[[int], float]
"""The share of α that claim t = 1, 2, ... is given. Those below know their ``spelling`` and their ``formula``."""


@dataclass(frozen=True, kw_only=True)
class QuadraticGamma:
    """1/(t(t+1)): for any length, generous at first.

    >>> [round(QuadraticGamma()(t), 4) for t in (1, 2, 3, 20)]
    [0.5, 0.1667, 0.0833, 0.0024]
    """

    spelling: ClassVar = "quadratic"
    formula: ClassVar = "1/(t(t+1))"

    def __call__(self, t: int) -> float:
        return 1 / (t * (t + 1))


@dataclass(frozen=True, kw_only=True)
class PowerLawGamma:
    """t^(−s) divided by its sum; the smaller s > 1 is, the more is left for later claims.

    >>> round(PowerLawGamma(exponent=2)(1), 6)
    0.607927
    """

    exponent: float = 1.5

    def __post_init__(self) -> None:
        _check_exponent(self.exponent)

    def __call__(self, t: int) -> float:
        return float(t**-self.exponent) / _tail_of_power_law(self.exponent, 1)

    @property
    def spelling(self) -> str:
        return f"power:{str(self.exponent).removesuffix('.0')}"

    @property
    def formula(self) -> str:
        return f"t^(−{self.exponent:g})"


@dataclass(frozen=True, kw_only=True)
class PlannedGamma:
    """Even over the planned claims, then a power law t^(−s) that shares out the reserve.

    >>> gamma = PlannedGamma(claims=20)
    >>> round(gamma(1), 6), round(gamma(20), 6), gamma(21) < gamma(20)
    (0.045, 0.045, True)
    """

    claims: int
    reserve: float = 0.1
    exponent: float = 2.0

    def __post_init__(self) -> None:
        _check_exponent(self.exponent)
        if self.claims < 1:
            raise InputError(f"claims: found {self.claims}; expected a planned number of at least 1.")
        if not 0 <= self.reserve < 1:
            raise InputError(f"reserve: found {self.reserve:g}; expected a share from 0 up to but not including 1.")

    def __call__(self, t: int) -> float:
        if t <= self.claims:
            return (1 - self.reserve) / self.claims
        return self.reserve * float(t**-self.exponent) / _tail_of_power_law(self.exponent, self.claims + 1)

    @property
    def spelling(self) -> str:
        """With a reserve or an exponent of its own as Python writes it, since the command line has no word for them."""
        return f"planned:{self.claims}" if self == PlannedGamma(claims=self.claims) else repr(self)

    @property
    def formula(self) -> str:
        return f"even over {self.claims} claims, then t^(−{self.exponent:g})"


@dataclass(frozen=True, kw_only=True)
class SteadyGamma:
    """(t + C)^(−1.5) divided by its sum: nearly even at first, and something is left for the hundredth claim.

    >>> [round(0.05 * SteadyGamma()(t), 6) for t in (1, 10, 100)]
    [0.002221, 0.000906, 7e-05]
    """

    lead: int = 10
    exponent: ClassVar = 1.5

    def __post_init__(self) -> None:
        if not 0 <= self.lead <= MOST_CLAIMS:
            raise InputError(f"lead: found {self.lead}; expected a whole number from 0 to {MOST_CLAIMS:,}.")

    def __call__(self, t: int) -> float:
        return float((t + self.lead) ** -self.exponent) / _tail_of_power_law(self.exponent, self.lead + 1)

    @property
    def spelling(self) -> str:
        return f"steady:{self.lead}"

    @property
    def formula(self) -> str:
        return f"(t + {self.lead})^(−{self.exponent:g})"


MOST_CLAIMS = 1_000_000
DEFAULT_GAMMA: Gamma = SteadyGamma()


def spell_gamma(gamma: Gamma) -> str:
    """As the command line reads it; a sequence of your own as Python writes it.

    >>> spell_gamma(PlannedGamma(claims=20)), spell_gamma(PowerLawGamma(exponent=1.5))
    ('planned:20', 'power:1.5')
    """
    return str(getattr(gamma, "spelling", repr(gamma)))


def read_gamma(text: str) -> Gamma:
    """The sequence that is spelled so: the inverse of `spell_gamma`.

    >>> read_gamma("planned:20")
    PlannedGamma(claims=20, reserve=0.1, exponent=2.0)
    """
    kind, _, number = text.partition(":")
    try:
        if kind == "power":
            return PowerLawGamma(exponent=float(number))
        if kind == "planned":
            return PlannedGamma(claims=int(number))
        if kind == "steady":
            return SteadyGamma(lead=int(number))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
    if text == QuadraticGamma.spelling:
        return QuadraticGamma()
    raise InputError(f"found '{text}'; expected quadratic, or such as steady:10, planned:20 or power:1.5.")


def say_gamma(gamma: Gamma) -> str:
    """As a formula; a sequence of your own as Python writes it.

    >>> say_gamma(QuadraticGamma()), say_gamma(PlannedGamma(claims=20))
    ('1/(t(t+1))', 'even over 20 claims, then t^(−2)')
    """
    return str(getattr(gamma, "formula", repr(gamma)))


@dataclass(frozen=True, kw_only=True)
class OnlineDecision:
    """One claim: which it was, its p-value, the level it was held to, and whether it is believed."""

    t: int
    p: float
    level: float
    is_rejected: bool


@dataclass(frozen=True, kw_only=True)
class OnlineTest:
    """Where a sequence of claims stands: ``tested`` of them so far, and what the last one handed on.

    A board keeps these two numbers; ``decide`` gives the answer to the next claim and where the sequence stands then.

    >>> decision, state = OnlineTest(alpha=0.05).decide(0.001)
    >>> round(decision.level, 6), decision.is_rejected, round(state.next_level, 6)
    (0.002221, True, 0.00417)
    """

    alpha: float = 0.05
    gamma: Gamma = DEFAULT_GAMMA
    tested: int = 0
    carried: float = 0.0

    def __post_init__(self) -> None:
        check_share(self.alpha, name="alpha")

    @property
    def next_level(self) -> float:
        return self.alpha * self.gamma(self.tested + 1) + self.carried

    def decide(self, p: float, *, may_pass: bool = True) -> tuple[OnlineDecision, OnlineTest]:
        """``may_pass`` is False where something else than p keeps the claim from being believed."""
        if not 0 <= p <= 1:
            raise InputError(f"p: found {p:g}; expected a p-value from 0 to 1.")
        level = self.next_level
        decision = OnlineDecision(t=self.tested + 1, p=p, level=level, is_rejected=may_pass and 0 < level >= p)
        carried = level if decision.is_rejected else 0.0
        return decision, replace(self, tested=decision.t, carried=carried)


@lru_cache(maxsize=64)
def _tail_of_power_law(exponent: float, start: int) -> float:
    from scipy.special import zeta

    return float(zeta(exponent, start))


def _check_exponent(exponent: float) -> None:
    if not 1 < exponent < math.inf:
        raise InputError(f"exponent: found {exponent:g}; expected more than 1, or the sequence has no finite sum.")
