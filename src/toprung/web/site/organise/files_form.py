"""Which files make a board? Labels for each use, or a ``board.toml`` with the labels it names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django import forms
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile

from toprung.web.core.models.labels import LabelUse
from toprung.web.services.boards.toml import FILE_NAME
from toprung.web.services.labels.read import LabelPlan
from toprung.web.site.organise.board_form import CHOICE, TEXT, SettingsForm

HIDDEN, PUBLIC = "yes", "no"


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


class LabelsForm(SettingsForm):
    """The first step: the labels, what the board is called, and who sees the labels."""

    slug = forms.CharField(
        label="Address",
        help_text="Small letters, digits and hyphens. Made of the name when left empty; it cannot be changed later.",
        max_length=60,
        required=False,
        error_messages=TEXT,
    )
    is_hidden = forms.CharField(label="Who sees these labels?", max_length=3, initial=HIDDEN, error_messages=CHOICE)
    official_file = LabelFileField("Label file", "TREC (query, 0, document, grade) or BEIR, plain or packed.")
    dev_file = LabelFileField("Dev labels, public", "Other queries, for dry runs, which cost nothing.")
    private_file = LabelFileField("Private labels", "Other queries again: do scores hold where nobody could tune?")
    extra_file = LabelFileField("Other labels", "On the same queries, shown beside the official ones; hidden alike.")
    extra_name = forms.CharField(
        label="What these are called", max_length=60, required=False, initial="graded", error_messages=TEXT
    )

    KEYS = ("title", "task", "slug", "description")
    FILES = ("is_hidden", "official_file", "dev_file", "private_file", "extra_file", "extra_name")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, only=(*self.KEYS, *self.FILES), **options)

    @property
    def hides(self) -> bool:
        return self.cleaned_data.get("is_hidden") != PUBLIC

    def labels(self) -> list[LabelPlan]:
        """The files that came; those that did not stay as they were."""
        sets = [
            (LabelUse.OFFICIAL, "", self.hides),
            (LabelUse.PRIVATE, "", True),
            (LabelUse.DEV, "", False),
            (LabelUse.EXTRA, self.cleaned_data.get("extra_name", "").strip(), self.hides),
        ]
        sent = [(self.cleaned_data.get(f"{use.value}_file"), use, name, hidden) for use, name, hidden in sets]
        return [label_file_of(file, use.value, name=name, is_hidden=hidden) for file, use, name, hidden in sent if file]


def label_file_of(file: UploadedFile[bytes], use: str, *, name: str = "", is_hidden: bool) -> LabelPlan:
    """An upload as one set of labels; a fault of it stands beside its field."""
    return LabelPlan(
        key=f"{use}_file", use=use, path=path_of(file), file_name=file.name or "labels", name=name, is_hidden=is_hidden
    )


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
