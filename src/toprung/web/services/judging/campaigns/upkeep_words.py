"""What does a board say of answers that nobody has judged? Exact for organisers, about where labels are hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet, Sum

from toprung.boards.disclosure.disclosure import nearest_ten
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import OpenChallenge
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.disclosing import disclosure_of
from toprung.web.services.results.public import decimals_for
from toprung.words.wording import say_count, show_number

FEW = 10
"""To the nearest ten there is nothing between none and this."""
ONE_PERCENT = 0.01


@dataclass(frozen=True, kw_only=True)
class ScoreRange:
    """What the official score of a run is if all open challenges are lost, and if all are won.

    With the digits that scores have for whoever looks: on pages, in files and in the API the same.
    """

    if_lost: float
    if_won: float

    @property
    def ends(self) -> tuple[float, float]:
        """The lower first: who holds the rung may lose by a challenge that others win."""
        return min(self.if_lost, self.if_won), max(self.if_lost, self.if_won)


@dataclass(frozen=True, kw_only=True)
class BoardUpkeep:
    """How well the labels of a board are kept: of all first answers, and of the version that is shown."""

    share_judged: float | None
    """None before any run was looked at, and until all were that are held against these labels. Of hidden labels of the
    runs whose scores are shown, but for organisers: so is the next."""
    n_open: int | None
    """Of hidden labels to the nearest ten, but for organisers; None until it is counted under these labels."""
    is_exact: bool
    version: int
    since: date | None
    n_without_text: int | None = None
    """First answers that cannot be judged; for organisers."""
    n_held_back: int | None = None
    """Of the open ones, those that are not asked about yet; for organisers."""

    @property
    def sentence(self) -> str:
        aside = say_aside(self.n_without_text or 0, self.n_held_back or 0)
        return f"{self._said_to_all} {aside}".rstrip()

    @property
    def _said_to_all(self) -> str:
        shown = f"Labels v{self.version} are shown" + (f" since {self.since:%Y-%m-%d}." if self.since else ".")
        if self.n_open is None:
            return f"{shown} How many first answers challenge them is being counted."
        if self.share_judged is None:
            return f"First answers of new runs that nobody has judged challenge these labels. {shown}"
        if self.is_exact:
            judged = _share(self.share_judged)
            waiting = f"{self.n_open:,} {'challenges' if self.n_open == 1 else 'challenge'} these labels now"
        else:
            judged = f"About {self.share_judged:.0%}"
            waiting = f"{_about(self.n_open).lower()} challenge these labels now"
        return f"{judged} of the first answers of all runs are judged; {waiting}. {shown}"


def find_upkeep(viewer: Viewer) -> BoardUpkeep | None:
    """Of the labels that are shown now; None without a standing campaign, or of labels that were superseded."""
    labels = viewer.labels()
    if labels is None or viewer.is_as_of or not _standing(viewer.board).exists():
        return None
    is_exact = _is_exact(viewer, labels)
    share, n_open = _count(viewer.board, labels, only_shown=not is_exact)
    n_without_text, n_held_back = count_aside(_kept(viewer.board)) if viewer.is_organiser else (None, None)
    return BoardUpkeep(
        share_judged=share if share is None or is_exact else disclosure_of(viewer.board).share(share),
        n_open=n_open if n_open is None or is_exact else nearest_ten(n_open),
        is_exact=is_exact,
        version=labels.version,
        since=labels.current_since and labels.current_since.date(),
        n_without_text=n_without_text,
        n_held_back=n_held_back,
    )


def count_aside(kept: QuerySet[OpenChallenge]) -> tuple[int, int]:
    """How many first answers cannot be judged, and how many challenges are held back."""
    sums = kept.filter(submission__withdrawn_at=None).aggregate(lacking=Sum("n_without_text"), held=Sum("n_held_back"))
    return sums["lacking"] or 0, sums["held"] or 0


def say_aside(n_without_text: int, n_held_back: int) -> str:
    """What of first answers nobody is asked, and why; nothing where none is.

    >>> say_aside(2, 1)
    '2 cannot be judged: a text is missing, or too long. 1 is held back: its team has its most open challenges.'
    """
    said = []
    if n_without_text:
        said.append(f"{n_without_text:,} cannot be judged: a text is missing, or too long.")
    if n_held_back:
        be, whose = ("is", "its team has its") if n_held_back == 1 else ("are", "their teams have their")
        said.append(f"{n_held_back:,} {be} held back: {whose} most open challenges.")
    return " ".join(said)


def _count(board: Board, labels: LabelSet, *, only_shown: bool) -> tuple[float | None, int | None]:
    """Which share of first answers is judged, and how many are open; nothing while some are of labels before these.

    How many of a run are not judged is nearly how many queries it misses: of one that is not shown, its score.
    """
    kept = _kept(board).filter(submission__withdrawn_at=None)
    if only_shown:
        kept = kept.filter(submission__shown_score__isnull=False)
    if kept.exclude(labels_version=labels.version).exists():
        return None, None
    sums = kept.aggregate(first=Sum("n_first"), judged=Sum("n_judged"), waiting=Sum("n_open"))
    return sums["judged"] / sums["first"] if sums["first"] else None, sums["waiting"] or 0


def find_ranges(viewer: Viewer, submissions: Iterable[int]) -> dict[int, ScoreRange]:
    """By the key of a run, what its score may come to; of hidden labels for organisers alone.

    Two scores would tell more of hidden labels than the release does.
    """
    labels = viewer.labels()
    if labels is None or viewer.is_as_of or not _is_exact(viewer, labels):
        return {}
    found = _waiting(viewer.board).filter(submission__in=list(submissions), labels_version=labels.version)
    show = disclosure_of(viewer.board).score if viewer.audience is Audience.PUBLIC else float
    return {
        submission: ScoreRange(if_lost=show(lost), if_won=show(won))
        for submission, lost, won in found.values_list("submission_id", "if_lost", "if_won")
        if lost is not None and won is not None
    }


def say_challenge(submission: Submission, viewer: Viewer) -> str:
    """Of a run: how many first answers are open, and the two scores; for organisers, what nobody is asked.

    How many challenge the holder is told of hidden labels to organisers alone: some are of runs that are not shown.
    """
    found, labels = _kept(viewer.board).filter(submission=submission).first(), viewer.labels()
    if found is None or labels is None or viewer.is_as_of:
        return ""
    n_told = found.n_open + (found.n_against if _is_exact(viewer, labels) else 0)
    said = _say_waiting(found, labels, viewer) if n_told else ""
    aside = say_aside(found.n_without_text, found.n_held_back) if viewer.is_organiser else ""
    if aside and not said:
        aside = f"Of its first answers {aside}"
    return f"{said} {aside}".strip()


def _say_waiting(found: OpenChallenge, labels: LabelSet, viewer: Viewer) -> str:
    if found.labels_version != labels.version:
        return (
            f"Its first answers are being held against labels v{labels.version}: what it may come to is being counted."
        )
    score = find_ranges(viewer, [found.submission_id]).get(found.submission_id)
    if score is None:
        return _say_about(found)
    decimals = decimals_for(viewer.board, viewer.audience)
    lost, won = (show_number(each, decimals) for each in (score.if_lost, score.if_won))
    what = "it is" if found.n_open + found.n_against == 1 else "all are"
    scores = f"its {viewer.board.official_measure} is {lost} if {what} lost and {won} if {what} won"
    own = say_count(found.n_open, "of its first answers is", "of its first answers are")
    if not found.n_against:
        return f"{own} not judged yet: {scores}."
    others = say_count(
        found.n_against, "first answer of another run challenges", "first answers of other runs challenge"
    )
    if not found.n_open:
        return f"It holds the rung, and {others} the labels: {scores}."
    return f"{own} not judged yet, and {others} the labels: {scores}."


def _say_about(found: OpenChallenge) -> str:
    return f"{_about(found.n_open)} of its first answers are not judged yet: its score may rise when they are."


def _kept(board: Board) -> QuerySet[OpenChallenge]:
    return OpenChallenge.objects.filter(submission__board=board, campaign__in=_standing(board))


def _waiting(board: Board) -> QuerySet[OpenChallenge]:
    return _kept(board).filter(Q(n_open__gt=0) | Q(n_against__gt=0))


def _standing(board: Board) -> QuerySet[Campaign]:
    """Those that take challenges of the official labels: one that is closed decides nothing any more."""
    official = board.campaigns.filter(is_standing=True, label_set__use=LabelUse.OFFICIAL)
    return official.exclude(state__in=(CampaignState.DRAFT, CampaignState.CLOSED))


def _is_exact(viewer: Viewer, labels: LabelSet) -> bool:
    return viewer.is_organiser or not labels.is_hidden


def _share(share: float) -> str:
    """In whole percent; all and none are only what is all and none.

    >>> [_share(share) for share in (0.0, 0.001, 0.987, 0.998, 1.0)]
    ['0%', 'Less than 1%', '99%', 'More than 99%', '100%']
    """
    if 0 < share < ONE_PERCENT:
        return "Less than 1%"
    return "More than 99%" if 1 - ONE_PERCENT < share < 1 else f"{share:.0%}"


def _about(n: int) -> str:
    return f"Fewer than {FEW}" if n < FEW else f"About {nearest_ten(n):,}"
