"""What does an organiser choose for a campaign, and what came of it? Its design, golds, reports and label versions."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission

A_SHARE = (MinValueValidator(0.5), MaxValueValidator(0.999))


class WhichQueries(models.TextChoices):
    """Which queries of the label set are judged."""

    ALL = "all", "all queries"
    SAMPLE = "sample", "some at random"
    DOUBTFUL = "doubtful", "those that an earlier campaign left in doubt"


class PlanKind(models.TextChoices):
    """How votes are spread."""

    ADAPTIVE = "adaptive", "ask what is worth asking, stop when sure"
    VOTES = "votes", "every pair as often"


class PublishBy(models.TextChoices):
    """When decided challenges become the next version of the labels."""

    ORGANISER = "organiser", "when you publish them"
    WEEKLY = "weekly", "by itself, once a week"
    CHANGES = "changes", "by itself, when so many labels change"


class CampaignDesign(models.Model):
    """What is put to the test, how often it is asked, and what is done with the answers."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, primary_key=True, related_name="design")
    queries = models.CharField(max_length=8, choices=WhichQueries, default=WhichQueries.ALL)
    n_sample = models.PositiveIntegerField(null=True, blank=True)
    runs = models.JSONField(default=list, blank=True)
    """Ids of the runs whose first answers are pooled; all that are settled where none is named."""
    depth = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1), MaxValueValidator(10)])
    plan = models.CharField(max_length=8, choices=PlanKind, default=PlanKind.ADAPTIVE)
    target = models.FloatField(default=0.9, validators=A_SHARE)
    """P(best) from which a query is decided."""
    most_votes = models.PositiveSmallIntegerField(default=30, validators=[MinValueValidator(1), MaxValueValidator(500)])
    """On the pairs of one query."""
    asked_for = models.JSONField(default=dict, blank=True)
    """By query, so many votes that an organiser wants in any case."""
    votes = models.PositiveSmallIntegerField(default=3, validators=[MinValueValidator(1), MaxValueValidator(99)])
    """On each pair, where all are asked as often."""
    pairs_per_task = models.PositiveSmallIntegerField(
        default=10, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    golds_per_task = models.PositiveSmallIntegerField(default=3, validators=[MaxValueValidator(20)])
    misses = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1), MaxValueValidator(2)])
    """So many missed golds take a task out of use."""
    platform = models.CharField(max_length=20, default="own")
    """Whose fee and least pay hold: a key of `toprung.labels.plans.price.PLATFORMS`."""
    seed = models.PositiveIntegerField(default=0)
    at_least = models.FloatField(default=0.9, validators=A_SHARE)
    """The P(best) that a new label must have; below it a query keeps the old one."""

    challenge_rule = models.CharField(max_length=12, default="best-of-3")
    most_per_team = models.PositiveSmallIntegerField(default=50, validators=[MinValueValidator(1)])
    """Open challenges of one team."""
    publish_by = models.CharField(max_length=10, choices=PublishBy, default=PublishBy.ORGANISER)
    publish_changes = models.PositiveSmallIntegerField(default=10, validators=[MinValueValidator(1)])
    due = models.PositiveIntegerField(default=0)
    """Counts what asked for an estimate anew."""


class GoldVerdict(models.TextChoices):
    """What an organiser says of a proposed gold."""

    PROPOSED = "", "not looked at"
    KEPT = "kept", "kept"
    REFUSED = "refused", "refused"


class ProposedGold(models.Model):
    """A pair whose better answer is known, if an organiser says so."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="proposed_golds")
    query_id = models.TextField()
    good = models.TextField()
    bad = models.TextField()
    verdict = models.CharField(max_length=8, choices=GoldVerdict, default=GoldVerdict.PROPOSED, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]


class CampaignReport(models.Model):
    """What a task computed of a campaign; pages show it and compute nothing."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=12)
    key = models.TextField(blank=True)
    """Which, among several of a kind, such as a query or a run."""
    content = models.JSONField()
    made_of = models.CharField(max_length=80, blank=True)
    """What it was computed from; while that is the same, it is kept."""
    computed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "kind", "key"], name="report_once")]


class RefusedLabel(models.Model):
    """A new label that an organiser does not want: its query keeps the old one."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="refused_labels")
    query_id = models.TextField()
    reason = models.TextField(max_length=2_000)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "query_id"], name="label_refused_once")]


class LabelOrigin(models.Model):
    """By which votes and which rule a version of the labels was made, and how sure it is."""

    label_set = models.OneToOneField(LabelSet, on_delete=models.CASCADE, primary_key=True, related_name="origin")
    campaign = models.ForeignKey(Campaign, on_delete=models.SET_NULL, null=True, related_name="versions")
    manifest = models.JSONField()
    """Of the preference labels in it: rule, λ, digest of the judgments."""
    sureness = models.JSONField()
    """In counts: how many labels are how sure, and how many queries kept the old one."""
    counted_until = models.DateTimeField(default=timezone.now)
    """Work that was in use then is in it."""
    doubt = models.JSONField(default=dict)
    """Of judged queries the answers that may be best, in percent (``chances``), and ``same_text``: secret as labels."""


class OpenChallenge(models.Model):
    """First answers of a run that nobody has judged, and the scores it may come to."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="challenges")
    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="challenge")
    labels_version = models.PositiveIntegerField(default=0)
    """Of the labels that all of this is counted under: of others it says nothing."""
    n_first = models.PositiveIntegerField(default=0)
    """Queries of the labels that it answers."""
    n_judged = models.PositiveIntegerField(default=0)
    """Of these, whose first answer is judged, or the label."""
    n_open = models.PositiveIntegerField(default=0)
    n_without_text = models.PositiveIntegerField(default=0)
    """That cannot be judged."""
    n_held_back = models.PositiveIntegerField(default=0)
    n_against = models.PositiveIntegerField(default=0)
    """Of who holds the rung: open challenges of all other runs, for a label that changes moves its score too."""
    if_lost = models.FloatField(null=True)
    """The official score with all of these lost, the open ones and those against it."""
    if_won = models.FloatField(null=True)
