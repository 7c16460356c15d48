"""What is on the page of a run? Gathered from what tasks stored, for the one who looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toprung.report.charts.figure import Figure
from toprung.web.core.access.boards import is_own
from toprung.web.core.access.namer import Identity
from toprung.web.core.access.rights import Person
from toprung.web.core.access.runs import sees_inside
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.people import User
from toprung.web.core.models.results import StoredResult
from toprung.web.core.models.runs import RunState, Submission, Upload
from toprung.web.services.query.find import DecidingQueries, deciding_queries
from toprung.web.services.shown.charts import ShownChart
from toprung.web.services.shown.history.run_claims import ClaimRow, claim_of, to_row
from toprung.web.services.shown.run.words import RunSentence, say_no_claim, say_run
from toprung.web.site.run.card import CardRow, card_rows
from toprung.web.site.run.citing import cite, write_badge
from toprung.web.site.run.edit_words import EditRow, edit_rows
from toprung.web.site.run.outcomes import OutcomeBar, outcomes_of
from toprung.web.site.run.panel import Panel, panel_of
from toprung.web.site.run.scores import ScoreRow, expected_ranks_in, score_rows
from toprung.web.site.run.versions import VersionScores, scores_over_versions, show_versions

MOST_QUERIES = 5
"""Public queries on the page, the weightiest first; all of them stand under Queries."""


@dataclass(frozen=True, kw_only=True)
class RunPage:
    """All of it; what the person may not see is empty."""

    identity: Identity
    sentence: RunSentence
    is_own: bool
    is_anonymous: bool
    """To others, whoever looks."""
    is_waiting: bool
    """Whether there is more to come without anybody doing anything."""
    result: StoredResult | None
    scores: list[ScoreRow]
    versions: VersionScores | None
    """Its scores under each version of the labels, where there are several."""
    chart: ShownChart | None
    """The same, drawn."""
    outcomes: OutcomeBar | None
    """Query by query against the highest score."""
    highest: Submission | None
    """The run with the highest score, where it is another one to compare with."""
    highest_name: str
    """As it may be called."""
    deciding: DecidingQueries | None
    """The public queries that move the difference to the highest score most."""
    claim: ClaimRow | None
    no_claim: str
    """Why it made none, where it did not."""
    panel: Panel | None
    refused: list[tuple[Upload, Panel]]
    sender: str
    others: list[Submission]
    """The team's other runs on the board."""
    edits: list[EditRow]
    citation: str
    badge: str
    """As Markdown, for a page elsewhere."""
    said: list[CardRow]
    """What the team says of it, as far as it tells nobody whose the run is."""


def gather(submission: Submission, viewer: Viewer, user: Person) -> RunPage:
    submission.board = viewer.board
    identity, inside = viewer.namer.name(submission), sees_inside(submission, user)
    standing, highest = _standing(submission, viewer), _highest_to_compare(submission, viewer)
    highest_name = "" if highest is None else viewer.namer.name(highest).name
    claim, versions = claim_of(submission, viewer), scores_over_versions(submission, highest, viewer)
    return RunPage(
        identity=identity,
        sentence=say_run(submission, standing, claim, viewer.result("board"), called=identity.name),
        is_own=is_own(submission, user),
        is_anonymous=submission.is_anonymous(viewer.namer.today),
        is_waiting=_is_waiting(submission, viewer),
        result=viewer.result("board"),
        scores=_scores(viewer, standing, highest_name),
        versions=versions,
        chart=None if versions is None else show_versions(versions, submission),
        outcomes=outcomes_of(standing, viewer.highest, highest_name),
        highest=highest if standing is not None else None,
        highest_name=highest_name,
        deciding=None if standing is None or highest is None else _deciding(submission, highest, viewer),
        claim=None if claim is None else to_row(claim, viewer),
        no_claim=say_no_claim(submission) if claim is None else "",
        panel=panel_of(submission.upload) if inside else None,
        refused=[(each, panel_of(each)) for each in _refused(submission)] if inside else [],
        sender=_name_sender(submission.user, inside=inside),
        others=_others(submission, viewer, identity),
        edits=[] if identity.is_hidden else list(edit_rows(submission, shows_who=inside)),
        citation=cite(submission, identity),
        badge=write_badge(submission),
        said=card_rows(submission.card, is_hidden=identity.is_hidden),
    )


def say_outcome(submission: Submission, viewer: Viewer) -> RunSentence:
    """What came of it, for the one who looks."""
    claim, called = claim_of(submission, viewer), viewer.namer.name(submission).name
    return say_run(submission, _standing(submission, viewer), claim, viewer.result("board"), called=called)


def scores_drawn(submission: Submission, viewer: Viewer) -> Figure | None:
    """Its scores under each version of the labels, for a file: marks lead nowhere."""
    submission.board = viewer.board
    versions = scores_over_versions(submission, _highest_to_compare(submission, viewer), viewer)
    return None if versions is None else versions.draw()


def _standing(submission: Submission, viewer: Viewer) -> dict[str, Any] | None:
    """Its row on the board; none of a run that was withdrawn while results are computed anew."""
    if submission.withdrawn_at is not None:
        return None
    row = viewer.standings().filter(submission=submission).first()
    return None if row is None else row.content


def _highest_to_compare(submission: Submission, viewer: Viewer) -> Submission | None:
    highest = viewer.highest
    return None if highest is None or highest.pk == submission.pk else highest


def _deciding(submission: Submission, highest: Submission, viewer: Viewer) -> DecidingQueries | None:
    """Only between runs that may be compared."""
    if not (viewer.shows(submission) and viewer.shows(highest)):
        return None
    return deciding_queries(viewer, submission, highest, n=MOST_QUERIES)


def _is_waiting(submission: Submission, viewer: Viewer) -> bool:
    if submission.state in (RunState.DONE, RunState.FAILED):
        return viewer.is_behind
    return True


def _scores(viewer: Viewer, standing: dict[str, Any] | None, highest_name: str) -> list[ScoreRow]:
    if standing is None:
        return []
    top = None
    if viewer.highest is not None:
        row = viewer.standings().filter(submission=viewer.highest).first()
        top = None if row is None else row.content
    stability = viewer.result("stability")
    expected = {} if stability is None else expected_ranks_in(stability.content)
    found = viewer.result("board")
    n_queries = 0 if found is None else int(found.content["n_queries"])
    rows = score_rows(
        viewer.board, viewer.audience, standing, top, expected, n_queries=n_queries, highest_name=highest_name
    )
    return list(rows)


def _refused(submission: Submission) -> list[Upload]:
    return list(submission.refused_uploads.order_by("-sent_at"))


def _name_sender(user: User, *, inside: bool) -> str:
    return str(user) if inside else ""


def _others(submission: Submission, viewer: Viewer, identity: Identity) -> list[Submission]:
    """Those that appear by name: an anonymous run leads to no others, nor do others lead to it."""
    if identity.is_hidden or submission.team is None:
        return []
    others = viewer.board.submissions.filter(viewer.namer.named(), team=submission.team, state=RunState.DONE)
    return list(others.exclude(pk=submission.pk).order_by("-number"))
