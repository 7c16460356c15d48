"""What is a board set to? The form of its settings and labels; found and expected in every error.

Types are read here; whether a setting is allowed is asked of the plan, as it is of a ``board.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from django import forms
from django.utils import timezone

from toprung.web.core.store.plan import BoardPlan, SettingFault, spell_measure
from toprung.web.services.boards.preview import USUAL_CLAIMS
from toprung.web.services.boards.words import ANOTHER, CLOSED, PLANNED

TEXT = {
    "required": "Found nothing; expected some text.",
    "max_length": "Found %(show_value)s characters; expected at most %(limit_value)s.",
    "null_characters_not_allowed": "Found a zero character; expected text.",
}
CHOICE = {
    "required": "Found nothing; expected a choice.",
    "invalid_choice": "Found “%(value)s”; expected another choice.",
}
WHOLE_NUMBER = {"invalid": "Found no whole number; expected one.", "required": "Found nothing; expected a number."}
CHOICES_BESIDE = {
    "claims": ("gamma", PLANNED),
    "closed_until": ("release", CLOSED),
    "another_measure": ("official_measure", ANOTHER),
}
"""Each field that stands beside a choice: which choice that is."""
MOMENT_FORMAT = "%Y-%m-%dT%H:%M"
MARGIN_HINT = (
    "The most that a claim may lose, such as 0.02. Left empty: 1/√n of n queries, from 0.01 to 0.1. Fixed once the "
    "board opens."
)


def _number(label: str, hint: str = "", *, initial: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, help_text=hint, initial=initial, error_messages=WHOLE_NUMBER)


def _text(label: str, hint: str = "", *, longest: int, **options: Any) -> forms.CharField:
    return forms.CharField(label=label, help_text=hint, max_length=longest, error_messages=TEXT, **options)


def _one_of(label: str, *, required: bool = True) -> forms.CharField:
    """Shown as choices in words; what it may be is asked of the plan."""
    return forms.CharField(label=label, max_length=60, required=required, error_messages=TEXT | CHOICE)


def _share(label: str) -> forms.FloatField:
    return forms.FloatField(
        label=label,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
        help_text=MARGIN_HINT,
        error_messages={"invalid": "Found no number; expected one such as 0.02."},
    )


def _moment(label: str, hint: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT_FORMAT)
    formats = [MOMENT_FORMAT, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d"]
    errors = {"invalid": "Found no time; expected one such as 2026-12-01 12:00, in UTC."}
    return forms.DateTimeField(
        label=label, help_text=hint, required=False, widget=widget, input_formats=formats, error_messages=errors
    )


class ManyTexts(forms.TextInput):
    """Boxes that are ticked and a line for others, all under one name."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: ARG002 - as Django calls it
        values = data.getlist(name) if hasattr(data, "getlist") else [data.get(name, "")]
        return ", ".join(filter(None, values))


class SettingsForm(forms.Form):
    """Everything a board may be set to but its address and its labels."""

    title = _text("Name of the board", longest=120)
    task = _text("The task, in one sentence", "What is ranked for whom, and what counts as an answer.", longest=300)
    description = _text(
        "Description",
        "Markdown, on the About page. HTML is shown as text.",
        longest=20_000,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    is_public = forms.BooleanField(
        label="Everyone may see the board", required=False, initial=True, help_text="Else only who has a role on it."
    )
    opens_at = _moment("Opens, UTC", "Runs are taken from then on; at once when left empty.")
    closes_at = _moment("Closes, UTC", "Runs are taken up to then; for good when left empty.")

    official_measure = _one_of("Official measure")
    another_measure = _text("Name of the measure", longest=60, required=False)
    cutoff = forms.IntegerField(
        label="Cutoff",
        help_text="A query is answered if a relevant document is among so many. Left empty: that of the measure.",
        required=False,
        error_messages=WHOLE_NUMBER,
    )
    other_measures = forms.CharField(
        label="Also shown, never decides", max_length=600, required=False, widget=ManyTexts, error_messages=TEXT
    )
    depth = _number("Documents in a run, for each query", "At most so many are read.", initial=1000)

    rule = _one_of("A claim must show", required=False)
    answered_margin = _share("Margin of harm, queries answered")
    ranking_margin = _share("Margin of harm, RR where both answer")
    alpha = forms.FloatField(
        label="Chance of a false claim, over the life of the board",
        initial=0.05,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
        help_text="What all claims share: about the chance that any false one ever passes.",
        error_messages={"invalid": "Found no number; expected one such as 0.05.", "required": "Found nothing."},
    )
    gamma = _one_of("How many claims do you expect over the life of the board?")
    claims = forms.IntegerField(label="Number of claims", required=False, error_messages=WHOLE_NUMBER)

    release = _one_of("What everyone sees of scores")
    closed_until = forms.DateField(
        label="Day from which scores are shown",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Found no day; expected one such as 2027-03-01."},
    )
    who_may_submit = _one_of("Who may submit")
    quota = _number("Runs of a team", "In any window of so many days:", initial=2)
    quota_days = _number("Days of the window", "The day of submission is the last of them.", initial=30)
    board_quota = forms.IntegerField(
        label="Runs of all teams together",
        help_text="In the same window; as many as come when left empty.",
        required=False,
        error_messages=WHOLE_NUMBER,
    )
    refuses_near_duplicates = forms.BooleanField(
        label="Refuse near-duplicates of a team’s earlier runs",
        required=False,
        help_text="Else they are pointed out to the team and to you.",
    )
    embargo_months = _number("Months a run may stay anonymous", "From 0 to 9.", initial=9)
    seed = _number("Seed", "Of all resamples; the same seed gives the same figures.", initial=0)

    def __init__(self, *args: Any, only: Collection[str] = (), **options: Any) -> None:
        """``only``: the fields of one step, with what stands beside their choices; all unless given."""
        super().__init__(*args, **options)
        for key in [name for name in self.fields if only and name not in only]:
            del self.fields[key]
        if only and "official_measure" in self.fields:
            self.fields["official_measure"].required = False  # of a draft it is proposed

    def clean(self) -> dict[str, Any]:
        """A choice that needs a number, a day or a name beside it, as the plan spells it."""
        found = super().clean() or {}
        self._refuse_what_is_not_chosen(found)
        if found.get("gamma") == PLANNED:
            found["gamma"] = f"{PLANNED}:{USUAL_CLAIMS if found.get('claims') is None else found['claims']}"
        if found.get("release") == CLOSED:
            found["release"] = self._closed(found.get("closed_until"))
        if found.get("official_measure") == ANOTHER:
            found["official_measure"] = found.get("another_measure", "").strip()
            if not found["official_measure"]:
                self.add_error("official_measure", "Found no name; expected that of a measure, such as RR@100.")
        return found

    def _refuse_what_is_not_chosen(self, found: Mapping[str, Any]) -> None:
        """A number, a day or a name typed beside a choice that was not made would be lost without a word."""
        for beside, (key, choice) in CHOICES_BESIDE.items():
            typed, was = found.get(beside), self.initial.get(beside)
            if typed in (None, "") or str(typed) == str(was) or found.get(key, choice) == choice:
                continue
            self.add_error(
                key, f"Found '{typed}' typed beside a choice that is not made; expected that choice, or nothing typed."
            )

    def _closed(self, day: date | None) -> str:
        if day is None:
            if "closed_until" not in self.errors:
                self.add_error("release", "Found no day; expected the one from which scores are shown.")
        elif day <= timezone.now().date() and self.initial.get("release") != f"{CLOSED}:{day.isoformat()}":
            self.add_error("release", f"Found {day.isoformat()}; expected a day to come.")
        return CLOSED if day is None else f"{CLOSED}:{day.isoformat()}"

    def settings(self) -> dict[str, Any]:
        """What was filled in, under the keys of the plan."""
        known = {key: value for key, value in self.cleaned_data.items() if key in BoardPlan.__dataclass_fields__}
        for key in ("opens_at", "closes_at"):
            if isinstance(known.get(key), datetime):
                known[key] = known[key].astimezone(UTC)
        if "description" in known:
            known["description"] = known["description"].replace("\r\n", "\n")  # as browsers send it
        if "official_measure" in known:
            known["official_measure"] = spell_measure(known["official_measure"])
        if "other_measures" in known:
            known["other_measures"] = read_measures(known["other_measures"])
        return known

    def show_faults(self, faults: Iterable[SettingFault], *, unasked: Collection[str] = ()) -> None:
        """Each beside its field; what belongs to none, or to one the page does not ask for, above the form."""
        for fault in faults:
            if fault.key in self.fields and fault.key not in unasked:
                self.add_error(fault.key, re.sub("^found ", "Found ", fault.says))
            else:
                self.add_error(None, str(fault))


def read_measures(text: str) -> tuple[str, ...]:
    """Measures parted by commas; those between parentheses part parameters.

    >>> read_measures("nDCG@10, RR(rel=2, mth=1)@100,")
    ('nDCG@10', 'RR(rel=2)@100')
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(spell_measure(part.strip()) for part in parts if part.strip())
