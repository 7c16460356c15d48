"""How do choices look in a form? Each with whether it is chosen, and the field that stands beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.forms import BoundField, Form

from toprung.web.core.store.plan import BoardPlan
from toprung.web.services.boards.label_facts import LabelFacts
from toprung.web.services.boards.preview import Preview
from toprung.web.services.boards.words import (
    ANOTHER,
    CLOSED,
    BoardChoice,
    admission_choices,
    level_choices,
    measure_choices,
    other_measures,
    release_choices,
    rule_choices,
)
from toprung.web.site.organise.board_form import CHOICES_BESIDE

BESIDE = {choice: beside for beside, (_, choice) in CHOICES_BESIDE.items()}
"""The field beside a choice."""


@dataclass(frozen=True, kw_only=True)
class ShownChoice:
    """A radio button."""

    choice: BoardChoice
    is_chosen: bool
    beside: BoundField | None = None


def show_choices(form: Form, key: str, choices: Sequence[BoardChoice]) -> list[ShownChoice]:
    """Of a field of the form, by what was sent or is set."""
    value = str(form[key].value() or "")
    known = {choice.value for choice in choices}
    if value not in known:
        value = value.partition(":")[0] if value.partition(":")[0] in known else ANOTHER if ANOTHER in known else value
    return [
        ShownChoice(choice=each, is_chosen=each.value == value, beside=_beside(form, each.value)) for each in choices
    ]


def _beside(form: Form, value: str) -> BoundField | None:
    name = BESIDE.get(value, "")
    return form[name] if name in form.fields else None


def initial_of(plan: BoardPlan) -> dict[str, object]:
    """What the form shows of a plan, with what stands beside choices."""
    values = {key: getattr(plan, key) for key in BoardPlan.__dataclass_fields__}
    kind, _, day = plan.release.partition(":")
    return values | {
        "other_measures": ", ".join(plan.other_measures),
        "another_measure": "",
        "claims": Preview.of(plan, 1).claims,
        "closed_until": day if kind == CLOSED else None,
    }


def choices_of_measure(form: Form, facts: LabelFacts, plan: BoardPlan) -> Mapping[str, object]:
    shown = {
        "official_measure": show_choices(form, "official_measure", measure_choices(facts)),
        "rule": show_choices(form, "rule", rule_choices(proposes=True)),
    }
    return shown | {"others": tick(form, plan)}


def tick(form: Form, plan: BoardPlan) -> list[tuple[str, bool]]:
    """Each measure that may stand beside the official one, and whether it does."""
    sent = [each.strip() for each in str(form["other_measures"].value() or "").split(",")]
    return [(each, each in sent) for each in other_measures(plan.official_measure, plan.other_measures)]


def choices_of_policy(form: Form, plan: BoardPlan, *, queries: int, hidden_queries: int) -> Mapping[str, object]:
    """``queries`` of the official labels; ``hidden_queries`` as many, or 0 where they are public."""
    preview = Preview.of(plan, queries)
    return {
        "gamma": show_choices(form, "gamma", level_choices(preview)),
        "release": show_choices(
            form, "release", release_choices(plan.release, hidden_queries=hidden_queries, measure=plan.official_measure)
        ),
        "who_may_submit": show_choices(
            form, "who_may_submit", admission_choices(plan.who_may_submit, is_hidden=hidden_queries > 0)
        ),
    }
