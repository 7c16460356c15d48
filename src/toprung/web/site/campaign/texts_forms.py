"""What do assessors read before they begin? Guidelines, two worked examples, a pair to try, and what they agree to."""

from __future__ import annotations

from typing import Any

from django import forms

from toprung.web.core.models.judging import LONGEST_TEXT
from toprung.web.services.judging.examples import Example
from toprung.web.site.organise.board_form import CHOICE, TEXT

LONGEST_LINE, LONGEST_PASSAGE = 300, 2_000
SIDES = [("left", "the left one"), ("right", "the right one")]


class CampaignTextsForm(forms.Form):
    """Markdown, in versions."""

    guidelines = forms.CharField(
        label="Guidelines",
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Markdown. Who read other guidelines, or other examples, reads these before the next pair.",
    )
    consent = forms.CharField(
        label="Consent",
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text="Markdown; the text that Toprung proposes where it is empty. A change asks everyone again.",
    )


def _passage(label: str, longest: int = LONGEST_PASSAGE, **options: Any) -> forms.CharField:
    """All of it in view, on a phone too."""
    return forms.CharField(
        label=label,
        max_length=longest,
        widget=forms.Textarea(attrs={"rows": 3 if longest == LONGEST_PASSAGE else 2}),
        error_messages=TEXT,
        **options,
    )


class ExampleForm(forms.Form):
    """A pair whose better passage is known, and why."""

    question = _passage("Question", LONGEST_LINE)
    left = _passage("Left passage")
    right = _passage("Right passage")
    better = forms.ChoiceField(label="Better is", choices=SIDES, error_messages=CHOICE)
    why = _passage("Why", LONGEST_LINE, help_text="Read by everybody who has tried, or opens, the example.")

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("left", "").split() == data.get("right", " ").split():
            self.add_error("right", "Found the same passage twice; expected two that can be told apart.")
        return data

    def to_example(self) -> Example:
        return Example(**{name: value.replace("\r\n", "\n") for name, value in self.cleaned_data.items()})
