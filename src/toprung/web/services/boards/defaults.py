"""What is a board set to where nobody chose? Measure and rule from its official labels, the cutoff from the measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.conf import settings

from toprung.boards.engine.defaults import choose_defaults, default_rule
from toprung.boards.engine.rules import Rule
from toprung.errors import InputError
from toprung.scoring.catalogue import first_rank_of
from toprung.web.core.models.boards import RELEASE_OF_HIDDEN, RELEASE_OF_PUBLIC, RULES, Admission
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.plan import BoardPlan, SettingFault, fitting_cutoff
from toprung.web.services.labels.read import LabelPlan

MEASURE_UNREAD = "RR@10"
"""Stands in while the official labels cannot be read, so that only they are found at fault."""


@dataclass(frozen=True, kw_only=True)
class Completed:
    """A plan with nothing left open; ``why`` says what was chosen from the labels, empty where nothing was."""

    plan: BoardPlan
    why: str = ""


def complete(plan: BoardPlan, labels: Sequence[LabelPlan]) -> Completed:
    """Choose what was left out."""
    measure, rule, why = plan.official_measure, plan.rule, ""
    if not measure or not rule:
        measure, rule, why = _choose(plan, labels)
    is_hidden = any(each.is_hidden for each in labels if each.use == LabelUse.OFFICIAL)
    release, who = choose_for_hidden(plan, is_hidden=is_hidden)
    chosen = replace(plan, official_measure=measure, rule=rule, release=release, who_may_submit=who)
    return Completed(plan=with_cutoff(chosen), why=why)


def choose_for_hidden(plan: BoardPlan, *, is_hidden: bool) -> tuple[str, str]:
    """What is shown and who may submit: of hidden labels little, and whom the organisers know."""
    has_mail = settings.ENVIRONMENT.mail is not None
    release = RELEASE_OF_HIDDEN if is_hidden else RELEASE_OF_PUBLIC
    who = Admission.APPROVED if is_hidden or not has_mail else Admission.ANYONE
    return plan.release or release, plan.who_may_submit or who.value


def with_cutoff(plan: BoardPlan) -> BoardPlan:
    return plan if plan.cutoff is not None else replace(plan, cutoff=fitting_cutoff(plan))


def _choose(plan: BoardPlan, labels: Sequence[LabelPlan]) -> tuple[str, str, str]:
    """Measure, rule, and why."""
    try:
        qrels = next(each.qrels for each in labels if each.use == LabelUse.OFFICIAL)
        found = choose_defaults(qrels)
    except (StopIteration, InputError, OSError):
        return plan.official_measure or MEASURE_UNREAD, plan.rule or Rule.MEASURE.value, ""
    measure = plan.official_measure or found.measure
    rule = plan.rule or default_rule(qrels, has_ranks=first_rank_of(measure) is not None).value
    why = f"{measure}, and a claim must show {RULES[rule]}" if plan.official_measure else found.said
    return measure, rule, why


def find_mail_faults(plan: BoardPlan) -> list[SettingFault]:
    """Without mail no address is verified, and whoever makes accounts could submit from each."""
    if plan.who_may_submit != Admission.ANYONE or settings.ENVIRONMENT.mail is not None:
        return []
    says = "found 'anyone' on a server without mail, which verifies no address; expected approved or invited."
    return [SettingFault(key="who_may_submit", says=says)]
