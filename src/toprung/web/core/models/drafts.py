"""Which boards are being thought out? Drafts: choices so far and label files; only their maker sees them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from toprung.web.core.models.labels import LabelUse


class BoardDraft(models.Model):
    """A board that is not one yet: nothing of it is public, and nothing of it is fixed."""

    maker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="board_drafts")
    settings = models.JSONField(default=dict)
    """What was chosen, under the keys of the plan; what is not in it is proposed from the labels."""
    edition = models.PositiveIntegerField(default=1)
    """Grows with every change, so that a second window does not overwrite what it has not seen."""
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-changed_at"]

    def __str__(self) -> str:
        return str(self.settings.get("title") or "a board without a name")


class DraftLabels(models.Model):
    """One set of labels of a draft: the file, and what was found in it when it came."""

    draft = models.ForeignKey(BoardDraft, on_delete=models.CASCADE, related_name="label_sets")
    use = models.CharField(max_length=10, choices=LabelUse)
    name = models.CharField(max_length=60, blank=True)
    is_hidden = models.BooleanField(default=True)
    file_name = models.CharField(max_length=200)
    """As its sender called it."""
    facts = models.JSONField()
    """See `LabelFacts`."""
    file = models.FileField(upload_to="drafts/")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["draft", "use", "name"], name="draft_labels_once")]
        ordering: ClassVar = ["pk"]
