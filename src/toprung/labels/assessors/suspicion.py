"""Whose work should somebody look at? Who does what careful people do not: tested at 1% over all assessors together.

Each test asks whether a share lies where careful people's do: of golds missed, of left choices, of answers for the side
of the answer before, of answers in less than two seconds, of votes with the others. The evidence is a ratio of
likelihoods: any share being as likely as any other, against the careful share that fits best. Its chance to ever exceed
1/p is below p (Ville's inequality), so that it may be looked at after every answer. All tests of all assessors are one
family (Holm). It is a reason to look, and blocks nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log

from toprung.labels.assessors.records import AssessorRecord
from toprung.labels.tasks.blocking import ALPHA, SLIPS
from toprung.stats.tests.corrections import correct_holm
from toprung.words.wording import say_count

LEAN = 0.1
"""People lean to one side, this much at most if they are careful."""
FAST = 0.2
"""The share of careful answers in less than two seconds: some pairs tell at a glance."""
BELOW_OTHERS = 0.1
"""Tastes differ: a careful person may agree with the others less often than those do by this much."""


@dataclass(frozen=True, kw_only=True)
class Suspicion:
    """Why somebody's work should be looked at, and how improbable that is of a careful person."""

    assessor: str
    test: str
    reason: str
    p: float
    """By Holm over all tests of all assessors."""


@dataclass(frozen=True, kw_only=True)
class _Tested:
    test: str
    reason: str
    p: float


def find_suspicious(records: Sequence[AssessorRecord], *, alpha: float = ALPHA) -> dict[str, Suspicion]:
    """By assessor, for whom a test at ``alpha`` over all finds something: what speaks most against them."""
    asked = [(record, tested) for record in records for tested in _tests_of(record, records)]
    corrected = correct_holm([tested.p for _, tested in asked]).tolist() if asked else []
    found: dict[str, Suspicion] = {}
    for (record, tested), p in zip(asked, corrected, strict=True):
        before = found.get(record.assessor)
        if p <= alpha and (before is None or p < before.p):
            found[record.assessor] = Suspicion(assessor=record.assessor, test=tested.test, reason=tested.reason, p=p)
    return found


def p_outside(n_of: int, n: int, low: float, high: float) -> float:
    """How improbable ``n_of`` of ``n`` is where the true share lies between ``low`` and ``high``; valid at any time.

    >>> p_outside(39, 39, 0.4, 0.6) < 1e-6, p_outside(20, 39, 0.4, 0.6)
    (True, 1.0)
    """
    if n == 0:
        return 1.0
    fitting = min(max(n_of / n, low), high)
    best = _times(n_of, fitting) + _times(n - n_of, 1 - fitting)
    any_share = lgamma(n_of + 1) + lgamma(n - n_of + 1) - lgamma(n + 2)
    return min(1.0, exp(min(0.0, best - any_share)))


def _times(n: int, share: float) -> float:
    return 0.0 if n == 0 else n * log(share) if share > 0 else float("-inf")


def _tests_of(record: AssessorRecord, everyone: Sequence[AssessorRecord]) -> list[_Tested]:
    return [test(record, everyone) for test in TESTS.values()]


def _test_golds(record: AssessorRecord, _everyone: Sequence[AssessorRecord]) -> _Tested:
    missed = f"missed {record.n_missed:,} of {say_count(record.n_golds, 'test pair')}"
    p = p_outside(record.n_missed, record.n_golds, 0.0, SLIPS)
    return _Tested(test="test pairs", reason=f"{missed}; a careful person misses 1 in {1 / SLIPS:.0f}", p=p)


def _test_side(record: AssessorRecord, _everyone: Sequence[AssessorRecord]) -> _Tested:
    side, n = ("left", record.n_left) if 2 * record.n_left >= record.n_sided else ("right", record.n_right)
    reason = f"chose the {side} side in {n:,} of {say_count(record.n_sided, 'answer')}; sides are tossed by a coin"
    return _Tested(test="one side", reason=reason, p=p_outside(record.n_left, record.n_sided, 0.5 - LEAN, 0.5 + LEAN))


def _test_pattern(record: AssessorRecord, _everyone: Sequence[AssessorRecord]) -> _Tested:
    n, same = max(0, record.n_sided - 1), record.n_same_side
    what, times = ("stayed on", same) if 2 * same >= n else ("left", n - same)
    reason = f"{what} the side of the answer before {times:,} times of {n:,}; sides are tossed by a coin"
    return _Tested(test="pattern", reason=reason, p=p_outside(same, n, 0.5 - LEAN, 0.5 + LEAN))


def _test_speed(record: AssessorRecord, _everyone: Sequence[AssessorRecord]) -> _Tested:
    reason = f"gave {record.n_fast:,} of {say_count(record.n_timed, 'answer')} in less than two seconds"
    return _Tested(test="speed", reason=reason, p=p_outside(record.n_fast, record.n_timed, 0.0, FAST))


def _test_agreement(record: AssessorRecord, everyone: Sequence[AssessorRecord]) -> _Tested:
    others = [each for each in everyone if each is not record and each.is_used]
    n, right = sum(each.n_compared for each in others), sum(each.n_with_others for each in others)
    usual = right / n if n else 0.5
    p = p_outside(record.n_with_others, record.n_compared, max(0.0, usual - BELOW_OTHERS), 1.0)
    said = f"chose as most others did on {record.n_with_others:,} of {say_count(record.n_compared, 'pair')}"
    return _Tested(test="agreement", reason=f"{said}; the others do on {usual:.0%}", p=p)


TESTS: Mapping[str, Callable[[AssessorRecord, Sequence[AssessorRecord]], _Tested]] = {
    "test pairs": _test_golds,
    "one side": _test_side,
    "pattern": _test_pattern,
    "speed": _test_speed,
    "agreement": _test_agreement,
}
