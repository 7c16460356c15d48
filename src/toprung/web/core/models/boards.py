"""What is a board? A task, rules, roles."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from toprung.boards.engine.words import RULE_WORDS
from toprung.stats.sequences.online import DEFAULT_GAMMA, spell_gamma
from toprung.web.core.asked import has_come

RULES = {rule.value: words for rule, words in RULE_WORDS.items()}
"""What a claim must show, by the library's name and in its words."""
RELEASE_OF_HIDDEN, RELEASE_OF_PUBLIC = "board-ladder:auto", "full"
"""What holds an attacker's gain within 0.01: see docs/design/disclosure.md. Labels are hidden unless it is said."""
SMALLEST_MARGIN, LARGEST_MARGIN = 0.0001, 1.0
A_MARGIN = (MinValueValidator(SMALLEST_MARGIN), MaxValueValidator(LARGEST_MARGIN))


class Admission(models.TextChoices):
    """Who may submit runs, with a team."""

    ANYONE = "anyone", "anyone with a verified address"
    APPROVED = "approved", "teams that ask, and that you approve"
    INVITED = "invited", "whom you invite, each with one team"


class Board(models.Model):
    """A leaderboard: what is ranked and by which rules, fixed before the first claim."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=120)
    task = models.CharField(max_length=300)
    description = models.TextField(blank=True, max_length=20_000)
    is_public = models.BooleanField(default=True)
    opens_at = models.DateTimeField(default=timezone.now)
    closes_at = models.DateTimeField(null=True, blank=True)
    final_since = models.DateTimeField(null=True, blank=True)
    """When its standings became final: closed, everything scored, computed once more; nothing changes after."""
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    official_measure = models.CharField(max_length=60, default="RR@100")
    cutoff = models.PositiveIntegerField(default=100, validators=[MinValueValidator(1)])
    other_measures = models.JSONField(default=list, blank=True)
    depth = models.PositiveIntegerField(default=1000, validators=[MinValueValidator(1)])

    rule = models.CharField(max_length=12, choices=RULES, default="no_harm")
    alpha = models.FloatField(default=0.05, validators=[MinValueValidator(0.0001), MaxValueValidator(0.5)])
    gamma = models.CharField(max_length=30, default=spell_gamma(DEFAULT_GAMMA))
    answered_margin = models.FloatField(null=True, blank=True, validators=A_MARGIN)
    """The most that a claim may lose in queries answered, as a share of them; None for the usual margin."""
    ranking_margin = models.FloatField(null=True, blank=True, validators=A_MARGIN)
    """The most that it may lose in RR where both answer; None for the usual margin."""
    release = models.CharField(max_length=30, default=RELEASE_OF_HIDDEN)

    who_may_submit = models.CharField(max_length=10, choices=Admission, default=Admission.APPROVED)
    quota = models.PositiveSmallIntegerField(default=2, validators=[MinValueValidator(1)])
    quota_days = models.PositiveSmallIntegerField(default=30, validators=[MinValueValidator(1)])
    board_quota = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    """Runs of all teams in the window; None for as many as come."""
    refuses_near_duplicates = models.BooleanField(default=False)
    embargo_months = models.PositiveSmallIntegerField(default=9, validators=[MaxValueValidator(9)])
    seed = models.PositiveIntegerField(default=0)

    holder = models.ForeignKey("web.Submission", on_delete=models.PROTECT, null=True, related_name="+")
    claims_tested = models.PositiveIntegerField(default=0)
    level_carried = models.FloatField(default=0.0)
    results_due = models.PositiveIntegerField(default=0)
    """Counts what asked for new results; `results_done` is the count they were computed for."""
    results_done = models.PositiveIntegerField(default=0)
    shown_version = models.PositiveSmallIntegerField(default=1)
    """The version of the official labels that pages show: the latest whose results are all there."""
    imported = models.JSONField(default=list, blank=True)
    """From where the board came, host after host: see `store.stages`."""

    def __str__(self) -> str:
        return self.title

    @property
    def lacks_labels(self) -> bool:
        """It was imported without its hidden labels: shown as it was, and nothing new can be scored."""
        return bool(self.imported) and not self.imported[-1]["has_labels"]

    @property
    def is_open(self) -> bool:
        return not self.lacks_labels and has_come(self.opens_at) and not self.is_closed

    @property
    def is_ahead(self) -> bool:
        """It is shown already, and takes no runs before its day."""
        return not self.is_closed and not has_come(self.opens_at)

    @property
    def is_closed(self) -> bool:
        """Its day has come, or its organisers closed it: it takes no runs any more."""
        return self.final_since is not None or (self.closes_at is not None and has_come(self.closes_at))

    @property
    def is_final(self) -> bool:
        """Its standings are frozen for good."""
        return self.final_since is not None


class Role(models.TextChoices):
    """What a person is on a board; who has none looks at public boards, and submits with a team."""

    ORGANISER = "organiser", "organiser"
    ASSESSOR = "assessor", "assessor"
    PARTICIPANT = "participant", "participant"
    APPLICANT = "applicant", "asks to take part"
    VIEWER = "viewer", "viewer"


TAKES_PART = (Role.PARTICIPANT, Role.APPLICANT)


class BoardRole(models.Model):
    """A person's role on one board; who takes part where organisers decide about it does so with one team."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="board_roles")
    role = models.CharField(max_length=12, choices=Role)
    team = models.ForeignKey("web.Team", on_delete=models.CASCADE, null=True, blank=True, related_name="board_roles")
    """With which they ask to take part or were approved; None until then, and for who does not take part."""
    given_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "user"], name="one_role_a_board")]
