"""What was sent, and what became of it? Uploads checked, submissions charged and scored, their words as edited."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import date
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.people import Team


class UploadState(models.TextChoices):
    """How far the check of a file is."""

    WAITING = "waiting", "queued"
    CHECKING = "checking", "validating"
    ACCEPTED = "accepted", "accepted"
    DRY = "dry", "scored as a dry run"
    REFUSED = "refused", "refused"
    FORGOTTEN = "forgotten", "not kept any more"


class Upload(models.Model):
    """A file as it was sent; no label is read to check it, and it costs nothing."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="uploads")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="uploads")
    """None for baselines, which the organisers run."""
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    sent_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=UploadState, default=UploadState.WAITING)
    file_name = models.CharField(max_length=200)
    """As its sender called it: shown, never used as a path."""
    original = models.FileField(upload_to="uploads/%Y/%m/", blank=True)
    """As it was sent; of a refused file nothing is kept."""
    parquet = models.FileField(upload_to="runs/%Y/%m/", blank=True)
    size = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=80)
    report = models.JSONField(default=dict)
    """What the check found, as `submissions.findings` words it."""
    dev_scores = models.JSONField(default=dict)
    """Scores of the dry run on the public dev labels."""
    attempts = models.PositiveSmallIntegerField(default=0)
    """How often its check was begun: one that comes to no end is not begun for ever."""
    deaths = models.PositiveSmallIntegerField(default=0)
    """How often what read it died; counted before each attempt, so that a worker that is killed counts too."""
    before = models.ForeignKey("Submission", on_delete=models.CASCADE, null=True, related_name="refused_uploads")
    """Of a refused file: the run that its team submitted next, in whose history it stays."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["board", "team", "sent_at"])]

    @property
    def is_being_checked(self) -> bool:
        return self.state in (UploadState.WAITING, UploadState.CHECKING)


PIECES_FOLDER = "partial"


def new_folder() -> str:
    return f"{PIECES_FOLDER}/{secrets.token_hex(16)}"


class PartialUpload(models.Model):
    """A file that comes in pieces, so that a sender whose connection broke goes on where it did; then an upload.

    The pieces lie in the same storage as all files: whichever process or machine gets the next one finds those before.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="partial_uploads")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="partial_uploads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    file_name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=80)
    """As its sender gave them: what was put together must have them."""
    received = models.PositiveBigIntegerField(default=0)
    folder = models.CharField(max_length=60, default=new_folder)
    pieces = models.JSONField(default=list)
    """Names of the files in the folder, in order."""
    started_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now)
    upload = models.OneToOneField(Upload, on_delete=models.CASCADE, null=True, related_name="partial")
    """What it became once all of it was there."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "board", "digest"])]


class RunState(models.TextChoices):
    """How far a submission is."""

    QUEUED = "queued", "queued"
    SCORING = "scoring", "scoring"
    SCORED = "scored", "scored"
    DONE = "done", "done"
    FAILED = "failed", "failed"


REPORTED = ("cost", "latency")
"""Of a card, what has a column of its own on a leaderboard: it is offered where a team says it."""
CARD_COLUMNS = ("name", "tags", "anonymous_until")
"""What a team says of its run and the database is asked for."""


class Submission(models.Model):
    """A run on the board: charged, scored once for each label set, on record for good."""

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField()
    """In the order of submission."""
    run_id = models.CharField(max_length=12)
    """Such as R32, or B1 for a baseline: what the run is called in results."""
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, related_name="submissions")
    """None for baselines, which the organisers run."""
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions")
    upload = models.OneToOneField(Upload, on_delete=models.PROTECT, related_name="submission")
    is_baseline = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=RunState, default=RunState.QUEUED)
    failure = models.TextField(blank=True)
    """Why it could not be scored, as its team may know it."""
    attempts = models.PositiveSmallIntegerField(default=0)
    """How often its scoring was begun."""
    told_at = models.DateTimeField(null=True, blank=True)
    """When its sender was told by mail how it ended."""
    submitted_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    name = models.CharField(max_length=80)
    tags = models.JSONField(default=list, blank=True)
    anonymous_until = models.DateField(null=True, blank=True)
    said = models.JSONField(default=dict, blank=True)
    """What else its team says of it: what is shown and never searched needs no column."""

    attempt_key = models.CharField(max_length=80, blank=True)
    """What its sender called the attempt: a second with the same key, after an answer that was lost, is this one."""
    attempt_digest = models.CharField(max_length=80, blank=True)
    """Of what was asked under that key."""

    score = models.FloatField(null=True)
    """The official measure under the labels it was settled with."""
    shown_score = models.FloatField(null=True)
    """As the board's release policy shows it; None where it does not."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "number"], name="run_number_once"),
            models.UniqueConstraint(fields=["board", "run_id"], name="run_label_once"),
            models.UniqueConstraint(fields=["board", "name"], name="run_name_once"),
            models.UniqueConstraint(
                fields=["user", "attempt_key"], condition=~models.Q(attempt_key=""), name="attempt_once"
            ),
        ]
        ordering: ClassVar = ["number"]

    @property
    def card(self) -> RunCard:
        """All that its team says of it."""
        said = RunCard.from_json(self.said)
        return replace(said, name=self.name, tags=tuple(self.tags), anonymous_until=self.anonymous_until)

    @card.setter
    def card(self, card: RunCard) -> None:
        self.name, self.tags, self.anonymous_until = card.name, list(card.tags), card.anonymous_until
        self.said = {name: value for name, value in card.to_json().items() if name not in CARD_COLUMNS}

    def is_anonymous(self, today: date) -> bool:
        return self.anonymous_until is not None and today < self.anonymous_until

    def __str__(self) -> str:
        return f"{self.run_id} {self.name}"


class FirstRankColumn(models.Model):
    """Where a submission first answers each query of a label set; hidden, read by tasks only."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="first_ranks")
    label_set = models.ForeignKey(LabelSet, on_delete=models.CASCADE, related_name="+")
    packed = models.BinaryField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["submission", "label_set"], name="ranks_once")]


class ScoreColumn(models.Model):
    """The score of a submission on each query of a label set, and their mean; hidden, read by tasks only."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="score_columns")
    label_set = models.ForeignKey(LabelSet, on_delete=models.CASCADE, related_name="+")
    measure = models.CharField(max_length=60)
    mean = models.FloatField()
    packed = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["submission", "label_set", "measure"], name="score_once")
        ]


class Charge(models.Model):
    """One submission counted against a team's quota; made in the transaction that makes the submission."""

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="charges")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="charges")
    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, related_name="charge")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["board", "team", "at"])]


class MetadataEdit(models.Model):
    """How the words of a submission were changed: what they were before stays readable."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="edits")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    before = models.JSONField()
    after = models.JSONField()
