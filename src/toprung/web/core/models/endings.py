"""How did a board end? Its final standings, as they will always be, and the signed bundle of all of it."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from toprung.web.core.models.boards import Board


class FinalStandings(models.Model):
    """Made once, when a closed board has nothing left to score; nothing changes it."""

    board = models.OneToOneField(Board, on_delete=models.CASCADE, related_name="final")
    made_at = models.DateTimeField(default=timezone.now)
    document = models.TextField()
    """The standings that everyone sees, as JSON, byte for byte what is offered for download."""
    digest = models.CharField(max_length=80)
    """SHA-256 of the document: what a citation names."""
    bundle = models.FileField(upload_to="final/", blank=True)
    """All of the board but its hidden labels, signed: for organisers, since it names teams that are anonymous."""
    bundle_digest = models.CharField(max_length=80, blank=True)
    key = models.CharField(max_length=80, blank=True)
    """The fingerprint of the key that signed the bundle."""
