"""What may a team say of its run? Every field checked; errors say found and expected."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.utils import timezone

from toprung.data.run_card import A_COST, LONGEST_TAG, MOST_TAGS, CardField, CardValue, RunCard, card_fields, is_cost
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.core.names import clean_name
from toprung.web.core.store.rules import embargo
from toprung.words.wording import say_count

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
        super().__init__(validators=[ADDRESS], **options)


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
        return tuple(tags)


MESSAGES_OF_DAYS = {"invalid": "Found no date; expected one such as 2027-05-01."}
ASKED_FIRST = (("name", "tags"), ("description",), ("paper", "code"), ("model",))
ASKED_LAST = ("anonymous_until",)
SIDE_BY_SIDE = (("cost", "latency"), ("system", "seed"))
"""How the form is laid out; what is not named here stands in a row of its own, among what may be left out."""


def make_field(declared: CardField) -> forms.Field:
    """What asks for it in a form."""
    said: dict[str, Any] = {
        "label": declared.label,
        "required": declared.is_needed,
        "help_text": declared.hint,
        "error_messages": MESSAGES,
    }
    match declared.holds:
        case CardValue.COST:
            return CostField(**said)
        case CardValue.DAY:
            widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            return forms.DateField(**said | {"widget": widget, "error_messages": MESSAGES | MESSAGES_OF_DAYS})
        case CardValue.TEXT:
            return forms.CharField(**said, max_length=declared.limit, widget=forms.Textarea(attrs={"rows": 3}))
    kinds: dict[CardValue, type[forms.CharField]] = {CardValue.ADDRESS: AddressField, CardValue.TAGS: TagsField}
    return kinds.get(declared.holds, LineField)(**said, max_length=declared.limit)


def asked_rows() -> tuple[tuple[str, ...], ...]:
    """The names of what may be left out, row by row."""
    paired = {name: row for row in SIDE_BY_SIDE for name in row}
    placed = {*ASKED_LAST, *(name for row in ASKED_FIRST for name in row)}
    names = [each.name for each in card_fields() if each.name not in placed]
    return tuple(dict.fromkeys(paired.get(name, (name,)) for name in names))


def asked_names() -> list[str]:
    """All that is asked for, in order."""
    return [name for row in (*ASKED_FIRST, *asked_rows(), ASKED_LAST) for name in row]


class CardForm(forms.Form):
    """All that is said of a run beside its ranking."""

    def __init__(self, *args: Any, board: Board, of: Submission | None = None, **options: Any) -> None:
        """``of``: the run that is edited, whose embargo counts from its day; none for a new run."""
        super().__init__(*args, **options)
        declared = {each.name: each for each in card_fields()}
        self.fields |= {name: make_field(declared[name]) for name in asked_names()}
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

    def card(self, before: RunCard | None = None) -> RunCard:
        """As given; what the form does not ask for stays as it was."""
        return replace(before or RunCard(), **self.cleaned_data)

    def first_rows(self) -> list[list[forms.BoundField]]:
        return [[self[name] for name in row] for row in ASKED_FIRST]

    def more_rows(self) -> list[list[forms.BoundField]]:
        """What may be left out."""
        return [[self[name] for name in row] for row in asked_rows()]

    def more_title(self) -> str:
        first, *others = [str(each.label) for row in self.more_rows() for each in row]
        *middle, last = [each.lower() for each in others]
        return f"{', '.join([first, *middle])} and {last}"

    def shows_more(self) -> bool:
        """Whether any of it is filled in, or wrong."""
        return any(each.errors or each.value() for row in self.more_rows() for each in row)

    def last_rows(self) -> list[list[forms.BoundField]]:
        return [[self[name]] for name in ASKED_LAST if name in self.fields]


def initial_of(card: RunCard) -> dict[str, Any]:
    """What the form shows of a card as it is."""
    return {each.name: _initial(each, getattr(card, each.name)) for each in card_fields()}


def _initial(declared: CardField, value: Any) -> Any:
    if declared.holds is CardValue.COST:
        return "" if value is None else f"{value:.10g}"
    return ", ".join(value) if declared.holds is CardValue.TAGS else value
