"""What does an organiser fill in to give a file, a link, or terms?"""

from __future__ import annotations

from typing import Any

from django import forms

from toprung.web.core.models.data import FileKind
from toprung.web.services.runs.card_form import LineField
from toprung.web.site.organise.board_form import CHOICE, TEXT

NO_FILE = "Found neither a file nor a link; expected one of them."


class DataFileForm(forms.Form):
    """A file, or a link with its digest."""

    kind = forms.ChoiceField(label="What it is", choices=FileKind.choices, error_messages=CHOICE)
    file = forms.FileField(
        label="File",
        required=False,
        help_text="Texts: TSV (id, tab, text) or JSONL (id, text), as ir_datasets exports them; plain or packed.",
        error_messages={"empty": "Found an empty file; expected at least one line."},
    )
    link = forms.CharField(
        label="Or a link", required=False, max_length=500, help_text="For what is too large to lie here; https."
    )
    digest = LineField(label="SHA-256 of what the link leads to", required=False, max_length=80, error_messages=TEXT)
    size = forms.IntegerField(label="Its size in bytes", required=False, min_value=1, max_value=1 << 50)
    name = LineField(
        label="Name",
        required=False,
        max_length=120,
        help_text="Such as queries-dev.tsv; that of file or link when left empty. One of the same name is replaced.",
        error_messages=TEXT,
    )
    note = LineField(label="What is in it", required=False, max_length=200, error_messages=TEXT)
    is_hidden = forms.BooleanField(
        label="Hidden",
        required=False,
        help_text="For assessors and organisers alone; who opens it is on record.",
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if bool(data.get("file")) == bool(data.get("link")) and "file" not in self.errors:
            raise forms.ValidationError("Found both a file and a link; expected one." if data.get("file") else NO_FILE)
        return data


class DataTermsForm(forms.Form):
    """Under which terms the files may be used."""

    text = forms.CharField(
        label="Terms",
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="Markdown. Accepted by each person before a download; whoever accepted others is asked again.",
        error_messages=TEXT,
    )
