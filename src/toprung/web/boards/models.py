"""What is a board? A task, label sets, rules, roles; claims, results as computed, what was done to it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

RULES = {
    "score": "a higher score",
    "significant": "significantly better: more answered, and sooner",
    "no_harm": "better in one way, no harm in the other",
}
"""What a run must show to take the top rung, as the library names it."""
FACETS = {"esl": "search length", "rr": "reciprocal rank"}
"""What is tested where both runs answer."""
FACET_TESTS = {"t": "paired t-test", "wsr": "signed-rank test"}
"""How it is tested."""


class Board(models.Model):
    """A leaderboard: what is ranked and by which rules, fixed before the first claim."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=120)
    task = models.CharField(max_length=300)
    description = models.TextField(blank=True, max_length=20_000)
    is_public = models.BooleanField(default=True)
    opens_at = models.DateTimeField(default=timezone.now)
    closes_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    official_measure = models.CharField(max_length=60, default="RR@100")
    cutoff = models.PositiveIntegerField(default=100, validators=[MinValueValidator(1)])
    other_measures = models.JSONField(default=list, blank=True)
    depth = models.PositiveIntegerField(default=1000, validators=[MinValueValidator(1)])

    rule = models.CharField(max_length=12, choices=RULES, default="no_harm")
    facet = models.CharField(max_length=4, choices=FACETS, default="esl")
    facet_test = models.CharField(max_length=12, choices=FACET_TESTS, default="t")
    alpha = models.FloatField(default=0.05, validators=[MinValueValidator(0.0001), MaxValueValidator(0.5)])
    gamma = models.CharField(max_length=30, default="quadratic")
    release = models.CharField(max_length=30, default="rounded:3")

    quota = models.PositiveSmallIntegerField(default=2, validators=[MinValueValidator(1)])
    quota_days = models.PositiveSmallIntegerField(default=30, validators=[MinValueValidator(1)])
    refuses_near_duplicates = models.BooleanField(default=False)
    embargo_months = models.PositiveSmallIntegerField(default=9, validators=[MaxValueValidator(9)])
    seed = models.PositiveIntegerField(default=0)

    holder = models.ForeignKey("submissions.Submission", on_delete=models.PROTECT, null=True, related_name="+")
    claims_tested = models.PositiveIntegerField(default=0)
    level_carried = models.FloatField(default=0.0)
    results_due = models.PositiveIntegerField(default=0)
    """Counts what asked for new results; `results_done` is the count they were computed for."""
    results_done = models.PositiveIntegerField(default=0)
    shown_version = models.PositiveSmallIntegerField(default=1)
    """The version of the official labels that pages show: the latest whose results are all there."""
    imported = models.JSONField(default=list, blank=True)
    """From where the board came, host after host: see `bundles.stages`."""

    def __str__(self) -> str:
        return self.title

    @property
    def lacks_labels(self) -> bool:
        """It was imported without its hidden labels: shown as it was, and nothing new can be scored."""
        return bool(self.imported) and not self.imported[-1]["has_labels"]

    @property
    def is_open(self) -> bool:
        if self.lacks_labels:
            return False
        now = timezone.now()
        return self.opens_at <= now and (self.closes_at is None or now < self.closes_at)


class Role(models.TextChoices):
    """What a person is on a board; who has none looks at public boards, and submits with a team."""

    ORGANISER = "organiser", "organiser"
    ASSESSOR = "assessor", "assessor"
    PARTICIPANT = "participant", "participant"
    VIEWER = "viewer", "viewer"


class BoardRole(models.Model):
    """A person's role on one board."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="board_roles")
    role = models.CharField(max_length=12, choices=Role)
    given_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "user"], name="one_role_a_board")]


class LabelUse(models.TextChoices):
    """What a set of labels is for."""

    OFFICIAL = "official", "the public leaderboard"
    PRIVATE = "private", "organisers only: does what is shown hold?"
    DEV = "dev", "dry runs without charge"
    EXTRA = "extra", "shown beside the official labels"


class LabelSource(models.TextChoices):
    """Where labels come from."""

    GIVEN = "given", "given by the organisers"
    PREFERENCE = "preference", "from preference judgments"


class LabelSet(models.Model):
    """Labels of one use in one version; which queries they are on is what makes queries public, private or dev.

    A version that is published is scored in the background first; when all runs have their scores it becomes current.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="label_sets")
    use = models.CharField(max_length=10, choices=LabelUse)
    name = models.CharField(max_length=60)
    version = models.PositiveSmallIntegerField(default=1)
    is_hidden = models.BooleanField(default=True)
    is_graded = models.BooleanField(default=False)
    is_current = models.BooleanField(default=True)
    source = models.CharField(max_length=10, choices=LabelSource, default=LabelSource.GIVEN)
    published_at = models.DateTimeField(default=timezone.now)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    current_since = models.DateTimeField(null=True, blank=True, default=timezone.now)
    """When runs began to be settled under it; None while it is being prepared, or if it was given up."""
    superseded_at = models.DateTimeField(null=True, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)
    """When the organisers gave it up before it became current."""
    failure = models.TextField(blank=True)
    """Why it does not become current: what went wrong with which run."""
    changes = models.TextField(blank=True, max_length=5_000)
    """What is new in it, for everyone, in safe Markdown."""
    difference = models.JSONField(default=dict, blank=True)
    """Against the version before, in counts; exact, so for organisers."""
    n_queries = models.PositiveIntegerField()
    digest = models.CharField(max_length=80)
    file = models.FileField(upload_to="labels/")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "use", "name", "version"], name="version_once")
        ]

    def __str__(self) -> str:
        return f"labels v{self.version}, {self.published_at:%Y-%m-%d}"

    @property
    def is_being_prepared(self) -> bool:
        """Runs are scored on it, and nothing is shown of it yet."""
        return self.current_since is None and self.given_up_at is None


class Claim(models.Model):
    """A claim to the top rung, as tested: never changed, at most voided in public."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="claims")
    submission = models.OneToOneField("submissions.Submission", on_delete=models.PROTECT, related_name="claim")
    holder = models.ForeignKey("submissions.Submission", on_delete=models.PROTECT, related_name="+")
    label_set = models.ForeignKey(LabelSet, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    is_supported = models.BooleanField()
    p = models.FloatField(null=True)
    level = models.FloatField(null=True)
    verdict = models.CharField(max_length=12, blank=True)
    grade = models.CharField(max_length=20, blank=True)
    shows = models.CharField(max_length=80)
    reason = models.TextField()
    evidence = models.JSONField(default=dict)
    recorded_at = models.DateTimeField(default=timezone.now)
    voided_at = models.DateTimeField(null=True, blank=True)
    voided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    void_reason = models.TextField(blank=True)
    was_shown = models.BooleanField(null=True)
    """Whether the release policy showed its run when the labels it was tested on were superseded; None before that."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "number"], name="claim_number_once")]
        ordering: ClassVar = ["number"]


class Audience(models.TextChoices):
    """For whom a result is: what participants may see is made by the task, not by the page."""

    PUBLIC = "public", "everyone"
    ORGANISERS = "organisers", "organisers"


class StoredResult(models.Model):
    """A result as a task computed it, with its provenance; pages show it and compute nothing."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="results")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=60, blank=True)
    """Which, among several of a kind: such as "R32 R37" of comparisons."""
    audience = models.CharField(max_length=12, choices=Audience)
    labels_version = models.PositiveSmallIntegerField(default=1)
    """Of the official labels it was computed under; 0 for what does not depend on them or is kept for the latest."""
    content = models.JSONField()
    generation = models.PositiveIntegerField()
    """The board's `results_due` it was computed for."""
    computed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["board", "labels_version", "kind", "key", "audience"], name="latest_result_once"
            )
        ]


class Standing(models.Model):
    """One row of the leaderboard as shown to one audience; the page fetches fifty of them.

    Rows under versions of the labels that were superseded stay as they were.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="standings")
    audience = models.CharField(max_length=12, choices=Audience)
    labels_version = models.PositiveSmallIntegerField(default=1)
    submission = models.ForeignKey("submissions.Submission", on_delete=models.CASCADE, related_name="standings")
    place = models.PositiveIntegerField()
    """In the order of standing: the holder first in its group."""
    score_place = models.PositiveIntegerField()
    group = models.PositiveIntegerField()
    content = models.JSONField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "audience", "labels_version", "submission"], name="stands_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["board", "audience", "labels_version", "place"])]


class AuditEntry(models.Model):
    """One thing that was done to a board; each entry carries the digest of the one before."""

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="audit")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    who = models.CharField(max_length=200)
    what = models.TextField()
    details = models.JSONField(default=dict)
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "number"], name="audit_number_once")]
        ordering: ClassVar = ["number"]


class LabelAccess(models.Model):
    """Someone looked at hidden labels, and why."""

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="label_accesses")
    label_set = models.ForeignKey(LabelSet, on_delete=models.PROTECT)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    what = models.CharField(max_length=200)
    reason = models.TextField()
