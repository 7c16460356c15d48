"""What else does an organiser fill in? Reasons, roles, and files of others; found and expected in every error."""

from __future__ import annotations

from django import forms
from django.db.models import QuerySet

from toprung.errors import InputError
from toprung.web.core.access.reasons import LONGEST, SHORTEST, check_reason
from toprung.web.core.models.boards import Role
from toprung.web.core.models.labels import LabelSet, LabelSource
from toprung.web.services.labels.access_log import describe, read_queries
from toprung.web.services.runs.card_form import LineField
from toprung.web.site.organise.board_form import CHOICE, TEXT


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


class LabelSetField(forms.ModelChoiceField):  # type: ignore[type-arg]  # it takes none when it runs
    """A set by what it is for and its version."""

    def label_from_instance(self, obj: LabelSet) -> str:
        return f"{describe(obj)}: {obj.get_use_display()}"


ADDED = "None: the first dev labels of this board, which everyone may see"


class PublishLabelsForm(forms.Form):
    """The next version of a set of labels, or the first dev labels where ``may_add``."""

    file = forms.FileField(
        label="Labels",
        help_text="A qrels file, plain or packed: all labels of the version, not only those that are new.",
        error_messages={
            "required": "Found no file; expected a qrels file.",
            "empty": "Found an empty file; expected at least one label.",
        },
    )
    changes = forms.CharField(
        label="What is new",
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Everyone can read it, beside the version. Markdown; name no label that is hidden.",
        error_messages=TEXT,
    )
    source = forms.ChoiceField(
        label="Where they come from",
        choices=LabelSource.choices,
        initial=LabelSource.GIVEN,
        help_text="Labels that “toprung labels” derived from preference judgments are told as such.",
        error_messages=CHOICE,
    )

    def __init__(self, sets: QuerySet[LabelSet], *args: object, may_add: bool, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # as forms take them
        self.fields["set"] = LabelSetField(
            label="In the place of",
            queryset=sets,
            required=not may_add,
            empty_label=ADDED if may_add else None,
            error_messages=CHOICE,
        )


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
    role = forms.ChoiceField(label="Role", choices=Role.choices, initial=Role.PARTICIPANT, error_messages=CHOICE)
    reason = forms.CharField(required=False)
    """Only for who takes part though they opened hidden texts or voted."""


class RoleForm(forms.Form):
    """Another role."""

    role = forms.ChoiceField(label="Role", choices=Role.choices, error_messages=CHOICE)
    reason = forms.CharField(required=False)


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
