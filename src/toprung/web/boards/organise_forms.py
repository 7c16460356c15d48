"""What else does an organiser fill in? Reasons, roles, and files of others; found and expected in every error."""

from __future__ import annotations

from django import forms

from toprung.errors import InputError
from toprung.web.boards.forms import CHOICE, TEXT
from toprung.web.boards.label_access import read_queries
from toprung.web.boards.models import Role
from toprung.web.boards.reasons import LONGEST, SHORTEST, check_reason
from toprung.web.submissions.forms import LineField


class ReasonForm(forms.Form):
    """Why; kept for good."""

    reason = forms.CharField(
        label="Reason",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2, "minlength": SHORTEST}),
        error_messages=TEXT,
    )

    def clean_reason(self) -> str:
        try:
            return check_reason(self.cleaned_data["reason"])
        except InputError as error:
            raise forms.ValidationError(str(error)) from None


class OpenLabelsForm(ReasonForm):
    """Which labels, and why."""

    VIEW, DOWNLOAD = "view", "download"
    queries = forms.CharField(
        label="Queries",
        required=False,
        max_length=10_000,
        help_text="Ids parted by blanks or commas; all when left empty.",
    )
    how = forms.ChoiceField(choices=[(VIEW, "View"), (DOWNLOAD, "Download")])

    def clean_queries(self) -> list[str]:
        try:
            return read_queries(self.cleaned_data["queries"])
        except InputError as error:
            raise forms.ValidationError(str(error)) from None


class GiveRoleForm(forms.Form):
    """A role to a person, by their address."""

    email = forms.EmailField(
        label="Address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={
            "invalid": "Found no address; expected one such as name@example.org.",
            "required": "Found none.",
        },
    )
    role = forms.ChoiceField(label="Role", choices=Role.choices, initial=Role.VIEWER, error_messages=CHOICE)


class RoleForm(forms.Form):
    """Another role."""

    role = forms.ChoiceField(label="Role", choices=Role.choices, error_messages=CHOICE)


class BaselineForm(forms.Form):
    """What is said of a baseline."""

    name = LineField(label="Name of the run", max_length=80, error_messages=TEXT)
    description = forms.CharField(
        label="How it was made",
        required=False,
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages=TEXT,
    )


class HistoryForm(forms.Form):
    """A published leaderboard."""

    file = forms.FileField(
        label="Leaderboard, CSV",
        help_text="A header, then a row for each entry: date, id or description, and a score.",
        error_messages={"required": "Found no file; expected a CSV.", "empty": "Found an empty file; expected a CSV."},
    )
    score_column = forms.CharField(
        label="Column of the score",
        required=False,
        max_length=100,
        help_text="Where there are several, such as “MRR@100 on eval”.",
    )
