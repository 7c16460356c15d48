"""How is a tested claim kept? As numbers, which give the same claim back; words are made when it is shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from toprung.boards.engine.claims import TestedClaim
from toprung.boards.engine.parts import PairParts
from toprung.boards.engine.rules import Rule
from toprung.boards.engine.verdict import Grade, PairVerdict, Verdict
from toprung.boards.outcomes import Outcomes
from toprung.result import json_safe
from toprung.stats.intervals.harm import HarmBounds
from toprung.stats.tests.pair import PairTest
from toprung.web.core.models.claims import Claim


def to_fields(tested: TestedClaim) -> dict[str, Any]:
    """What of a claim is stored under names of its own, and the rest as evidence."""
    verdict = tested.verdict
    return {
        "number": tested.t,
        "passed": tested.passed,
        "p": tested.p,
        "level": tested.level,
        "smallest_gain": json_safe(tested.smallest_gain),
        "verdict": "" if verdict is None else verdict.verdict.value,
        "grade": "" if verdict is None else verdict.grade.value,
        "evidence": _to_evidence(tested),
    }


def _to_evidence(tested: TestedClaim) -> dict[str, Any]:
    found: dict[str, Any] = {"measure": tested.measure, "rule": tested.rule.value}
    if tested.parts is not None and tested.verdict is not None:
        found["told_apart"] = {"answered": tested.verdict.answered, "ranking": tested.verdict.ranking}
        found["parts"] = json_safe(asdict(tested.parts))
        found["outcomes"] = None if tested.outcomes is None else asdict(tested.outcomes)
    return found


def to_claim(claim: Claim) -> TestedClaim:
    """As it was tested, whether or not it was voided since."""
    evidence = claim.evidence
    is_tested, outcomes = claim.level is not None, evidence.get("outcomes")
    return TestedClaim(
        t=claim.number,
        run=claim.submission.run_id,
        holder=claim.holder.run_id,
        measure=evidence["measure"],
        rule=Rule(evidence["rule"]),
        passed=claim.passed,
        p=claim.p,
        level=claim.level,
        smallest_gain=_or(claim.smallest_gain, math.inf) if is_tested else None,
        verdict=_read_verdict(claim) if is_tested else None,
        parts=_read_parts(evidence["parts"]) if is_tested else None,
        outcomes=None if outcomes is None else Outcomes(**outcomes),
    )


def _read_verdict(claim: Claim) -> PairVerdict:
    return PairVerdict(verdict=Verdict(claim.verdict), grade=Grade(claim.grade), **claim.evidence["told_apart"])


def _read_parts(parts: Mapping[str, Any]) -> PairParts:
    """JSON has neither infinity nor NaN: a bound without a value was none, a mean without one that of no query."""
    measure = PairParts(measure=_read_test(parts["measure"]))
    if parts["answered"] is None:  # no first ranks
        return measure
    return replace(
        measure,
        answered=_read_test(parts["answered"]),
        ranking=_read_test(parts["ranking"]),
        answered_harm=_read_bounds(parts["answered_harm"]),
        ranking_harm=_read_bounds(parts["ranking_harm"]),
    )


def _read_test(found: Mapping[str, Any]) -> PairTest:
    return PairTest(**{**found, "mean": _or(found["mean"], math.nan), "sd": _or(found["sd"], math.nan)})


def _read_bounds(found: Mapping[str, Any]) -> HarmBounds:
    return HarmBounds(**{**found, "low": _or(found["low"], -math.inf), "high": _or(found["high"], math.inf)})


def _or(value: float | None, absent: float) -> float:
    return absent if value is None else value
