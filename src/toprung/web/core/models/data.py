"""What does a board offer to work with? Files, links and texts; terms, and who accepted them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from toprung.web.core.models.boards import Board


class FileKind(models.TextChoices):
    """What a file holds."""

    QUERIES = "queries", "queries: id and text"
    PASSAGES = "passages", "passages: id and text, shown beside queries"
    CORPUS = "corpus", "the collection to search"
    LABELS = "labels", "labels of the dev queries"
    RUN = "run", "a run to begin with"
    KIT = "kit", "starter kit"
    OTHER = "other", "something else"


TEXT_KINDS = (FileKind.QUERIES, FileKind.PASSAGES)
"""Kinds whose files are read when they come: their texts are shown on pages."""


class DataFile(models.Model):
    """A file that the organisers gave, or a link to one elsewhere; known by its digest.

    A hidden one is for organisers and assessors alone. Texts lie in blocks, see `store.texts`.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="data_files")
    kind = models.CharField(max_length=10, choices=FileKind)
    name = models.CharField(max_length=120)
    """What it is called where it is downloaded to."""
    note = models.CharField(max_length=200, blank=True)
    """What is in it, in one line."""
    is_hidden = models.BooleanField(default=False)
    file = models.FileField(upload_to="data/", blank=True)
    """As it was given; empty for a link."""
    link = models.URLField(max_length=500, blank=True)
    size = models.PositiveBigIntegerField(null=True)
    """Bytes; None where nobody said it of a link."""
    digest = models.CharField(max_length=80)
    n_texts = models.PositiveIntegerField(default=0)
    n_blocks = models.PositiveIntegerField(default=0)
    remarks = models.JSONField(default=list, blank=True)
    """What was noticed when it was read, in sentences for organisers."""
    added_at = models.DateTimeField(default=timezone.now)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "name"], name="data_file_name_once")]
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_link(self) -> bool:
        return not self.file


class TextBlock(models.Model):
    """Some of the texts of a file, packed; which ones is told by their ids."""

    file = models.ForeignKey(DataFile, on_delete=models.CASCADE, related_name="blocks")
    number = models.PositiveIntegerField()
    packed = models.BinaryField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["file", "number"], name="text_block_once")]


class TextAccess(models.Model):
    """Someone read texts of hidden queries: who, which, and why."""

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="text_accesses")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    """None for an assessor without an account."""
    assessor = models.CharField(max_length=80, blank=True)
    """What an assessor is called in a campaign, never a name; empty for others, and for who was forgotten."""
    at = models.DateTimeField(default=timezone.now)
    what = models.CharField(max_length=200)
    reason = models.TextField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["board", "at"])]


class DataTerms(models.Model):
    """Under which terms the files may be used, in safe Markdown; the last version holds."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="data_terms")
    text = models.TextField(blank=True, max_length=20_000)
    """Empty where the terms were taken away."""
    digest = models.CharField(max_length=80)
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")


class TermsAcceptance(models.Model):
    """Who accepted which version of the terms, and when."""

    terms = models.ForeignKey(DataTerms, on_delete=models.CASCADE, related_name="acceptances")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["terms", "user"], name="terms_accepted_once")]
