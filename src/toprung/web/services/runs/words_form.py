"""What may a team say of its run? Every field checked; errors say found and expected."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.utils import timezone

from toprung.data.run_card import A_COST, is_cost
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.core.names import clean_name
from toprung.web.core.store.rules import embargo
from toprung.web.services.runs.submit import RunCard
from toprung.words.wording import say_count

MOST_TAGS, LONGEST_TAG = 5, 30
LONGEST_NAME, LONGEST_DESCRIPTION = 80, 2_000
ADDRESS = URLValidator(
    schemes=("http", "https"), message="Found another kind of address; expected one that begins with https://"
)


MESSAGES = {
    "required": "Found nothing; expected some text.",
    "max_length": "Found %(show_value)s letters; expected at most %(limit_value)s.",
}


class LineField(forms.CharField):
    """Text in one line, nothing unseen in it."""

    def clean(self, value: Any) -> Any:
        text = clean_name(super().clean(value))
        self.run_validators(text)  # it may have grown longer
        self.validate(text)  # or empty
        return text


class AddressField(forms.CharField):
    """An address on the web: no other kind is ever made a link."""

    widget = forms.URLInput(attrs={"placeholder": "https://"})

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=500, validators=[ADDRESS], **options)


class CostField(forms.FloatField):
    """A positive number, or nothing."""

    widget = forms.TextInput(attrs={"inputmode": "decimal"})

    default_error_messages = {"invalid": "Found no number; expected one such as 12.5."}  # noqa: RUF012 - as Django has it

    def clean(self, value: Any) -> Any:
        cost: float | None = super().clean(value)
        if cost is not None and not is_cost(cost):
            raise forms.ValidationError(f"Found {cost:g}; expected {A_COST}.")
        return cost


class TagsField(LineField):
    """Words parted by commas."""

    def clean(self, value: Any) -> Any:
        text: str = super().clean(value)
        tags = list(dict.fromkeys(tag for part in text.split(",") if (tag := part.strip())))
        longest = max(map(len, tags), default=0)
        if len(tags) > MOST_TAGS or longest > LONGEST_TAG:
            raise forms.ValidationError(
                f"Found {say_count(len(tags), 'tag')} of up to {longest} letters; expected at most {MOST_TAGS}, "
                f"each of at most {LONGEST_TAG}."
            )
        return tags


class WordsForm(forms.Form):
    """All that is said of a run beside its ranking."""

    name = LineField(label="Name of the run", max_length=LONGEST_NAME)
    tags = TagsField(label="Tags", required=False, max_length=200, help_text="Parted by commas.")
    description = forms.CharField(
        label="What is new in this run",
        max_length=LONGEST_DESCRIPTION,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Shown with the run. One paragraph.",
    )
    paper = AddressField(label="Paper")
    code = AddressField(label="Code")
    kind = LineField(label="Type", required=False, max_length=60, help_text="Such as full ranking or reranking.")
    cost = CostField(
        label="Cost",
        required=False,
        help_text="In one unit for all your runs, such as dollars per thousand queries.",
    )
    latency = CostField(label="Latency", required=False, help_text="Milliseconds per query.")
    system = LineField(
        label="System", required=False, max_length=80, help_text="What this run is one training or seed of."
    )
    seed = LineField(label="Seed", required=False, max_length=40)
    anonymous_until = forms.DateField(
        label="Keep the team anonymous until",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Found no date; expected one such as 2027-05-01."},
        help_text="The score is public at once; organisers always see the team. Empty: not anonymous.",
    )

    def __init__(self, *args: Any, board: Board, of: Submission | None = None, **options: Any) -> None:
        """``of``: the run that is edited, whose embargo counts from its day; none for a new run."""
        super().__init__(*args, **options)
        for field in self.fields.values():
            field.error_messages |= MESSAGES
        self.today = timezone.now().date()
        self.latest = embargo(board).latest_end(self.today if of is None else of.submitted_at.date())
        is_public = of is not None and not of.is_anonymous(self.today)
        if is_public or self.latest <= self.today:
            del self.fields["anonymous_until"]
        else:
            first = self.today + timedelta(days=1)
            self.fields["anonymous_until"].widget.attrs |= {"min": first.isoformat(), "max": self.latest.isoformat()}

    def clean_anonymous_until(self) -> date | None:
        until: date | None = self.cleaned_data["anonymous_until"]
        if until is not None and not self.today < until <= self.latest:
            raise forms.ValidationError(
                f"Found {until}; expected a day after today, up to {self.latest}, or nothing to appear at once."
            )
        return until

    def words(self, before: RunCard | None = None) -> RunCard:
        """As given; what the form does not ask for stays as it was."""
        return replace(before or RunCard(name=""), **self.cleaned_data)


def initial_of(words: RunCard) -> dict[str, Any]:
    """What the form shows of words as they are."""
    fields = {name: getattr(words, name) for name in RunCard.__dataclass_fields__}
    numbers = {name: "" if fields[name] is None else f"{fields[name]:.10g}" for name in ("cost", "latency")}
    return fields | numbers | {"tags": ", ".join(words.tags)}
