"""Which questions does a report answer, and in which order? Those that analyses register: a plan for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from toprung.analyses.asking import ask
from toprung.analyses.catalogue import all_parts
from toprung.analysis import Analysis, Part, load
from toprung.report.overview import needs
from toprung.report.overview.material import ReportMaterial
from toprung.report.overview.needs import Need
from toprung.result import Result


@dataclass(frozen=True, kw_only=True)
class PartPlan:
    """A question of the report: what it needs, and how it is answered."""

    key: str
    question: str
    needs: tuple[Need, ...] = ()
    find: Callable[[ReportMaterial], Result]

    def lacks(self, material: ReportMaterial) -> str | None:
        """What is to be given for it to be answered; None if everything is there."""
        return next((reason for need in self.needs if (reason := need(material)) is not None), None)


def all_plans() -> tuple[PartPlan, ...]:
    """In the order in which they tell most."""
    return tuple(_plan(analysis, part) for analysis, part in all_parts())


def _plan(analysis: Analysis, part: Part) -> PartPlan:
    return PartPlan(
        key=part.key,
        question=part.question,
        needs=tuple(getattr(needs, name) for name in part.needs),
        find=partial(_find, analysis, part),
    )


def _find(analysis: Analysis, part: Part, material: ReportMaterial) -> Result:
    if part.find:
        found: Result = load(part.find)(material)
        return found
    return ask(analysis, material, {})
