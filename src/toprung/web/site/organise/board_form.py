"""What is a board set to? The form of its settings and labels; found and expected in every error.

Types are read here; whether a setting is allowed is asked of the plan, as it is of a ``board.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile

from toprung.stats.sequences.online import DEFAULT_GAMMA, spell_gamma
from toprung.web.core.models.boards import RULES, Admission
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.plan import BoardPlan, SettingFault, spell_measure
from toprung.web.services.boards.toml import FILE_NAME
from toprung.web.services.labels.read import LabelPlan

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
MOMENT_FORMAT = "%Y-%m-%dT%H:%M"
RELEASE_HINT = (
    "full, rounded:3, ladder:0.01, ladder:free, board-ladder:auto, board-ladder:0.02 or closed:2027-03-01. Who submits "
    "often learns hidden labels from every score. A ladder shows a score only if it does better than the team’s best "
    "by the step, that of the board than the board’s best: then more accounts tell no more. Of hidden labels nothing "
    "is finer than ten queries."
)
MEASURE_HINT = (
    "Such as RR@10, RR@100 for documents, nDCG@10 or AP. Left empty, it is chosen from the official labels: RR@10 "
    "where most queries have one relevant document, nDCG@10 or AP where they have many."
)
RULE_HINT = (
    "Held to the level of the claim. Doing no harm, and more answered and ranked higher, need a measure of the first "
    "relevant document, such as RR@10."
)
MARGIN_HINT = (
    "The most that a claim may lose, such as 0.02. Left empty: 1/√n of n queries, from 0.01 to 0.1. Fixed once the "
    "board opens."
)


ADMISSION_HINT = "Whoever can make accounts can ask the hidden labels more often; whom you know, cannot."


def admissions() -> list[tuple[str, str]]:
    """Anyone is offered only where addresses are verified by mail."""
    has_mail = settings.ENVIRONMENT.mail is not None
    return [(value, label) for value, label in Admission.choices if has_mail or value != Admission.ANYONE]


def _number(label: str, hint: str = "", *, initial: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, help_text=hint, initial=initial, error_messages=WHOLE_NUMBER)


def _text(label: str, hint: str = "", *, longest: int, **options: Any) -> forms.CharField:
    return forms.CharField(label=label, help_text=hint, max_length=longest, error_messages=TEXT, **options)


def _rule(choices: Mapping[str, str]) -> forms.ChoiceField:
    """Left empty only where that is a choice."""
    return forms.ChoiceField(
        label="A claim must show",
        choices=list(choices.items()),
        required="" not in choices,
        help_text=RULE_HINT,
        error_messages=CHOICE,
    )


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


class SettingsForm(forms.Form):
    """Everything a board may be set to but its address and its labels."""

    title = _text("Title", longest=120)
    task = _text("Task", "One sentence: what is ranked for whom, and what counts as an answer.", longest=300)
    description = _text(
        "Description",
        "Markdown, on the About page. HTML is shown as text.",
        longest=20_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    is_public = forms.BooleanField(
        label="Everyone may see the board", required=False, initial=True, help_text="Else only who has a role on it."
    )
    opens_at = _moment("Opens, UTC", "Runs are taken from then on; at once when left empty.")
    closes_at = _moment("Closes, UTC", "Runs are taken up to then; for good when left empty.")

    official_measure = _text("Official measure", "Such as RR@10, nDCG@10 or AP.", longest=60)
    cutoff = forms.IntegerField(
        label="Cutoff",
        help_text="A query is answered if a relevant document is among so many. Left empty: that of the measure.",
        required=False,
        error_messages=WHOLE_NUMBER,
    )
    other_measures = _text("Others shown", "Parted by commas, such as nDCG@10, R@100.", longest=600, required=False)
    depth = _number("Depth", "Documents a run may have for each query.", initial=1000)

    rule = _rule(RULES)
    answered_margin = _share("Margin of harm, queries answered")
    ranking_margin = _share("Margin of harm, RR where both answer")
    alpha = forms.FloatField(
        label="α, over the life of the board",
        initial=0.05,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
        help_text="What all claims share: about the chance that any false one ever passes.",
        error_messages={"invalid": "Found no number; expected one such as 0.05.", "required": "Found nothing."},
    )
    gamma = _text(
        "γ, how it is shared among claims",
        "steady:10: nearly even over the first ten claims, then slowly less. planned:20: even over 20 claims. "
        "quadratic: most for the first. power:1.5: in between.",
        longest=30,
        initial=spell_gamma(DEFAULT_GAMMA),
    )

    release = _text("What everyone sees of scores", RELEASE_HINT, longest=30)
    who_may_submit = forms.ChoiceField(
        label="Who may submit", choices=admissions, help_text=ADMISSION_HINT, error_messages=CHOICE
    )
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

    def __init__(self, *args: Any, **options: Any) -> None:
        """A board that is for anyone may stay so where there is no mail any more; it is not offered anew."""
        super().__init__(*args, **options)
        who: Any = self.fields["who_may_submit"]
        if self.initial.get("who_may_submit") == Admission.ANYONE:
            who.choices = Admission.choices

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


class LabelFileField(forms.FileField):
    """A file of labels, which the upload handler has written to disk."""

    def __init__(self, label: str, hint: str, *, required: bool = False) -> None:
        super().__init__(
            label=label,
            help_text=hint,
            required=required,
            max_length=200,
            error_messages={
                "required": "Found no file; expected one.",
                "empty": "Found an empty file; expected labels.",
                "max_length": "Found a file name of %(length)s characters; expected at most %(max)s.",
            },
        )


class CreateBoardForm(SettingsForm):
    """A new board: its settings, and its labels as files; what is left empty is chosen from them."""

    official_measure = _text("Official measure", MEASURE_HINT, longest=60, required=False)
    release = _text(
        "What everyone sees of scores",
        f"Left empty: board-ladder:auto where the official labels are hidden, else full. {RELEASE_HINT}",
        longest=30,
        required=False,
    )
    who_may_submit = forms.ChoiceField(
        label="Who may submit",
        choices=lambda: [("", "what the labels ask for: whom you approve, where they are hidden"), *admissions()],
        required=False,
        help_text=ADMISSION_HINT,
        error_messages=CHOICE,
    )
    rule = _rule({"": "what the labels ask for: no harm where most queries have one answer"} | RULES)
    slug = _text("Address", "Small letters, digits and hyphens: /b/web-docs-2026/. It cannot be changed.", longest=60)
    official_file = LabelFileField(
        "Official labels", "What the leaderboard is on. TREC qrels, plain or packed.", required=True
    )
    is_hidden = forms.BooleanField(
        label="The official labels are hidden",
        required=False,
        initial=True,
        help_text="Nobody sees them but organisers who give a reason.",
    )
    private_file = LabelFileField(
        "Private labels", "On other queries, for organisers alone: do scores hold where nobody could tune?"
    )
    dev_file = LabelFileField("Dev labels", "Public, on other queries again: for dry runs, which cost nothing.")
    extra_file = LabelFileField(
        "Other labels", "Shown beside the official ones, such as graded labels on the same queries; hidden alike."
    )
    extra_name = _text("What these are called", longest=60, required=False, initial="graded")

    field_order = ("slug",)

    def labels(self) -> list[LabelPlan]:
        is_hidden = self.cleaned_data["is_hidden"]
        sets = [
            (LabelUse.OFFICIAL, "", is_hidden),
            (LabelUse.PRIVATE, "", True),
            (LabelUse.DEV, "", False),
            (LabelUse.EXTRA, self.cleaned_data["extra_name"], is_hidden),
        ]
        plans = []
        for use, name, is_use_hidden in sets:
            file = self.cleaned_data.get(f"{use.value}_file")
            if file:
                plans.append(
                    LabelPlan(
                        key=f"{use.value}_file",
                        use=use.value,
                        path=path_of(file),
                        file_name=file.name,
                        name=name.strip(),
                        is_hidden=is_use_hidden,
                    )
                )
        return plans


def path_of(file: UploadedFile[bytes]) -> Path:
    """Where an upload lies: our upload handler writes every file to disk."""
    if not isinstance(file, TemporaryUploadedFile):
        raise TypeError(f"found an upload in memory ({type(file).__name__}); expected one on disk")
    return Path(file.temporary_file_path())


class ManyFilesInput(forms.ClearableFileInput):
    """Lets a browser choose several files at once."""

    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """Several files; each is checked like one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=ManyFilesInput, **options)

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[bytes]]:
        files = data if isinstance(data, list | tuple) else [data]
        return [super(ManyFilesField, self).clean(each, initial) for each in files]


class BoardFilesForm(forms.Form):
    """The same board from a file, with its labels beside it."""

    board_file = forms.FileField(
        label=FILE_NAME,
        error_messages={
            "required": "Found no file; expected a board.toml.",
            "empty": "Found an empty file; expected settings.",
        },
    )
    label_files = ManyFilesField(
        label="The label files it names",
        help_text="All at once; they are found by their names, without folders.",
        error_messages={
            "required": "Found no file; expected labels.",
            "empty": "Found an empty file; expected labels.",
        },
    )
