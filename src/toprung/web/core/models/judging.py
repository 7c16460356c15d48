"""What is judged on the web? Campaigns with the records of their desks, and who sits there without being known."""

from __future__ import annotations

import secrets
from decimal import Decimal
from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet

LONGEST_TEXT = 20_000


class CampaignState(models.TextChoices):
    """How far a campaign is."""

    DRAFT = "draft", "not started"
    PILOT = "pilot", "pilot"
    RUNNING = "running", "running"
    PAUSED = "paused", "paused"
    CLOSED = "closed", "closed"


GIVES_OUT_WORK = (CampaignState.PILOT, CampaignState.RUNNING)


class CampaignAccess(models.TextChoices):
    """By which way assessors come."""

    OPEN = "open", "whoever has the link"
    INVITED = "invited", "assessors of the board, who sign in"
    PROLIFIC = "prolific", "people sent by Prolific"


def new_key() -> str:
    return secrets.token_urlsafe(12)


def no_codes() -> dict[str, str]:
    return {}


class Campaign(models.Model):
    """People are asked which of two answers is better, to find the best answers of a label set.

    How it asks (plan, seed, golds a task, what a missed gold voids) stands in the manifest of its book: the same that a
    judging effort in a folder has.
    """

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="campaigns")
    label_set = models.ForeignKey(LabelSet, on_delete=models.PROTECT, related_name="campaigns")
    """The labels that it looks into, in the version they had."""
    slug = models.SlugField(max_length=60)
    key = models.CharField(max_length=24, unique=True, default=new_key)
    """In the link for assessors: it tells nothing of the board."""
    title = models.CharField(max_length=120)
    state = models.CharField(max_length=8, choices=CampaignState, default=CampaignState.DRAFT)
    is_standing = models.BooleanField(default=False)
    """Whether challenges of new runs join it."""
    pilot_tasks = models.PositiveIntegerField(default=0)
    """So many tasks are given out as a pilot."""

    access = models.CharField(max_length=8, choices=CampaignAccess, default=CampaignAccess.INVITED)
    shows_hidden_to_strangers = models.BooleanField(default=False)
    """Whether texts of a hidden set are shown to who has no account: the organiser said so."""
    study_id = models.CharField(max_length=40, blank=True)
    """Of the platform: who comes from another study is turned away."""
    codes = models.JSONField(default=no_codes, blank=True)
    """What to tell the platform, by `Ending`."""

    reward = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal("2.00"))
    """For a whole task."""
    fee = models.DecimalField(max_digits=6, decimal_places=4, default=Decimal(0))
    """What the platform takes on top, as a share of the reward."""
    budget = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    """For rewards and fees; None where money is not counted."""
    currency = models.CharField(max_length=3, default="USD")
    minutes = models.PositiveSmallIntegerField(default=8, validators=[MinValueValidator(1)])
    """That a task takes, as people are told."""

    consent = models.TextField(max_length=LONGEST_TEXT, blank=True)
    """In safe Markdown; empty for the text that Toprung proposes."""
    consent_version = models.PositiveSmallIntegerField(default=1)
    guidelines = models.TextField(max_length=LONGEST_TEXT, blank=True)
    guidelines_version = models.PositiveSmallIntegerField(default=1)
    examples = models.JSONField(default=list, blank=True)
    """Two that are worked and one to try; empty for those that Toprung has: see `services.judging.examples`."""
    allows_ties = models.BooleanField(default=False)
    allows_highlighting = models.BooleanField(default=False)
    """Whether people may have the words of the question marked; it is noted with each answer."""
    lang = models.CharField(max_length=20, default="en")
    """Of the passages."""
    retention_days = models.PositiveSmallIntegerField(default=180, validators=[MaxValueValidator(3650)])
    """After its end, where it is standing after somebody's last visit: then nobody can be found by who comes again."""

    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "slug"], name="campaign_slug_once")]
        ordering: ClassVar = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def gives_out_work(self) -> bool:
        return self.state in GIVES_OUT_WORK

    @property
    def is_kept_from_strangers(self) -> bool:
        """Whether only invited assessors read its texts: if of hidden labels, unless the organiser says otherwise."""
        return self.label_set.is_hidden and not self.shows_hidden_to_strangers


class JudgingBook(models.Model):
    """Where the records of a campaign stand; its row is what one writer at a time locks."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, primary_key=True, related_name="book")
    manifest = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    """How many records there are of each kind: who has read so many need not look."""
    generation = models.PositiveIntegerField(default=0)
    """Counts how often records were taken out or changed: who read them before reads all of them again."""
    n_seats = models.PositiveIntegerField(default=0)
    """How many were ever taken: a number is given once."""


class JudgingRecord(models.Model):
    """One record of a desk, such as a task or a judgment: what it holds is the business of `toprung.labels`."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="records")
    kind = models.CharField(max_length=20)
    number = models.PositiveIntegerField()
    """From 1 without a gap, in the order they were written."""
    content = models.JSONField()
    answer_id = models.CharField(max_length=64, null=True)
    """Of a judgment: each is kept once."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "kind", "number"], name="judging_record_once"),
            models.UniqueConstraint(fields=["campaign", "answer_id"], name="judgment_once"),
        ]
        ordering: ClassVar = ["kind", "number"]


class AssessorSeat(models.Model):
    """Someone who judges in one campaign, under a name that tells nobody who it is."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="seats")
    assessor = models.CharField(max_length=64)
    """In the records: an HMAC of the platform's id and the campaign, so that two campaigns cannot be joined."""
    number = models.PositiveIntegerField()
    """Of no other seat of the campaign, also when this one is gone: see `services.judging.seats.take_seat`."""
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="assessor_seats"
    )
    """Only where assessors are invited, so that they find their own again."""
    consented_version = models.PositiveSmallIntegerField(default=0)
    """The last of the consents on record; 0 before."""
    consented_at = models.DateTimeField(null=True, blank=True)
    trained_version = models.PositiveSmallIntegerField(default=0)
    """Of the guidelines, by who read them and tried a pair; 0 before."""
    blocked_at = models.DateTimeField(null=True, blank=True)
    """By an organiser: nothing more is given out to them."""
    block_reason = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "assessor"], name="assessor_once"),
            models.UniqueConstraint(fields=["campaign", "number"], name="seat_number_once"),
            models.UniqueConstraint(fields=["campaign", "user"], name="seat_of_user_once"),
        ]

    @property
    def code(self) -> str:
        """What an assessor is called on pages and in the audit log."""
        return f"a-{self.number:02}"


class ForgottenAssessor(models.Model):
    """What is left of who was forgotten at their wish, until the days of retention are over: what they are due.

    It names no seat and no record, so that it leads to no judgment. Who comes again is known by it, and given nothing.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="forgotten")
    digest = models.CharField(max_length=64)
    """An HMAC of what they were called in the records."""
    has_handed_in = models.BooleanField()
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    on = models.DateField()
    """The day: the minute could be that of something else."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "digest"], name="forgotten_once")]


class Ending(models.TextChoices):
    """How a visit ended; a platform has a code for each."""

    COMPLETE = "complete", "handed in"
    NO_CONSENT = "no_consent", "did not consent"
    LEFT_EARLY = "left_early", "left early"
    FAILED_CHECKS = "failed_checks", "failed checks"
    NOTHING_LEFT = "nothing_left", "nothing left to do"


class JudgingVisit(models.Model):
    """From the link to the thanks: one task at most."""

    seat = models.ForeignKey(AssessorSeat, on_delete=models.CASCADE, related_name="visits")
    session = models.CharField(max_length=64)
    """An HMAC of the platform's session, or drawn at random: the same again goes on where it was."""
    assignment_id = models.CharField(max_length=64, blank=True)
    ended = models.CharField(max_length=16, choices=Ending, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["seat", "session"], name="visit_once")]
        ordering: ClassVar = ["pk"]


class JudgingNote(models.Model):
    """What an assessor wrote to the organisers, or an organiser of an assessor."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="notes")
    assessor = models.CharField(max_length=64)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    """None if the assessor wrote it."""
    assignment_id = models.CharField(max_length=64, blank=True)
    text = models.TextField(max_length=2_000)
    at = models.DateTimeField(default=timezone.now)
    answer = models.TextField(max_length=2_000, blank=True)
    """Empty until an organiser said something; who it was stands in the audit log."""
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]
