"""How is each of my runs told? From what everyone may see of the board, so that nobody learns more of hidden labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from toprung.web.core.access.namer import Namer
from toprung.web.core.access.rights import Person, memberships_of
from toprung.web.core.access.shared import as_everyone
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Audience, Standing, StoredResult
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.work.state import say_seconds
from toprung.web.services.mine.own_runs import Act, OwnRun, OwnState, latest_of_each, own_files, own_submissions
from toprung.web.services.mine.told_files import tell_file
from toprung.web.services.results.public import decimals_for
from toprung.web.services.shown.history.ledger import claims_for_everyone, to_entries
from toprung.web.services.shown.run.outcomes import say_place, say_proved_over
from toprung.web.services.shown.run.words import NOT_RELEASED
from toprung.words.wording import show_number, show_rank_range

LONGEST_SAID = 24 * 3600
MOVING = {RunState.QUEUED: OwnState.WAITS, RunState.SCORING: OwnState.SCORING, RunState.SCORED: OwnState.SCORING}


@dataclass(frozen=True, kw_only=True)
class _KnownOfRuns:
    """What is stored of the runs, as everyone sees it; asked once for all of them."""

    standings: Mapping[int, dict[str, Any]]
    boards: Mapping[int, dict[str, Any]]
    claims: Mapping[int, Claim]
    namer: Namer

    @classmethod
    def of(cls, person: Person, runs: Sequence[Submission]) -> _KnownOfRuns:
        boards = {each.board_id: each.board for each in runs}
        rows = Standing.objects.filter(submission__in=[each.pk for each in runs], audience=Audience.PUBLIC)
        results = StoredResult.objects.filter(board__in=boards, kind="board", audience=Audience.PUBLIC)
        is_shown = {"labels_version": F("board__shown_version")}
        return cls(
            standings=dict(rows.filter(**is_shown).values_list("submission_id", "content")),
            boards=dict(results.filter(**is_shown).values_list("board_id", "content")),
            claims=dict(_find_claims(boards, runs)),
            namer=Namer(
                team_ids=frozenset(memberships_of(person).values_list("team_id", flat=True)),
                sees_all=False,
                today=timezone.now().date(),
            ),
        )


def _find_claims(boards: Mapping[int, Board], runs: Sequence[Submission]) -> Iterator[tuple[int, Claim]]:
    for claim in claims_for_everyone().filter(submission__in=[each.pk for each in runs]):
        claim.board = boards[claim.board_id]
        yield claim.submission_id, claim


def find_own_runs(person: Person) -> list[OwnRun]:
    """Runs and files of the person's teams, the latest first."""
    submissions, files = list(own_submissions(person)), list(own_files(person))
    latest = latest_of_each(submissions, files)
    told = tell_runs(person, submissions, latest)
    told += [tell_file(each, is_last=latest.get((each.board_id, each.team_id or 0)) == each.sent_at) for each in files]
    return sorted(told, key=lambda each: each.at, reverse=True)


def tell_runs(
    person: Person, submissions: Sequence[Submission], latest: Mapping[tuple[int, int], datetime] | None = None
) -> list[OwnRun]:
    """Of runs that the person may see by name; ``latest``: when each team last sent something to each board."""
    known = _KnownOfRuns.of(person, submissions)
    return [_tell(each, known, is_last=_is_last(each, latest or {})) for each in submissions]


def _is_last(run: Submission, latest: Mapping[tuple[int, int], datetime]) -> bool:
    return latest.get((run.board_id, run.team_id or 0)) == run.submitted_at


def _tell(run: Submission, known: _KnownOfRuns, *, is_last: bool) -> OwnRun:
    standing, content = known.standings.get(run.pk), known.boards.get(run.board_id)
    is_on_board = run.state == RunState.DONE and run.withdrawn_at is None
    state, bold, says = _say(run, known)
    row = standing if is_on_board and content is not None else None
    return OwnRun(
        run_id=run.run_id,
        name=run.name,
        path=reverse("run", args=[run.board.slug, run.run_id]),
        board=run.board,
        team=str(run.team),
        at=run.submitted_at,
        state=state,
        took=_say_time(run),
        bold=bold,
        says=says,
        score="" if row is None else show_number(row["score"], decimals_for(run.board, Audience.PUBLIC)),
        rank="" if row is None else show_rank_range(row["rank_low"], row["rank_high"]),
        may_be_best=row is not None and bool(row["top_group"]),
        is_anonymous=run.is_anonymous(known.namer.today),
        act=_find_act(run, known, state, is_last=is_last),
    )


def _say(run: Submission, known: _KnownOfRuns) -> tuple[OwnState, str, str]:
    standing, content, claim = (
        known.standings.get(run.pk),
        known.boards.get(run.board_id),
        known.claims.get(run.pk),
    )
    if run.state == RunState.FAILED:
        return OwnState.OUR_FAULT, "It could not be scored.", run.failure
    if run.state != RunState.DONE:
        mail = " You may close this page: a mail follows." if settings.ENVIRONMENT.mail else ""
        return MOVING[RunState(run.state)], "", f"It is on the board when done.{mail}"
    if run.withdrawn_at is not None:
        return OwnState.WITHDRAWN, "", f"Withdrawn on {run.withdrawn_at:%Y-%m-%d}. {_say_claim(claim, known)}".strip()
    if run.shown_score is None:
        return OwnState.NOT_SHOWN, "", f"It {NOT_RELEASED}."
    if standing is None or content is None:
        return OwnState.SCORED, "", "Its standing is being computed."
    place = say_place(standing, content)
    return OwnState.SCORED, f"{place[0].upper()}{place[1:]}.", _say_claim(claim, known)


def _say_claim(claim: Claim | None, known: _KnownOfRuns) -> str:
    """What it proved when it came, or why not."""
    if claim is None:
        return ""
    (entry,) = to_entries([claim], as_everyone(claim.board))
    holder = known.namer.name(claim.holder).name
    if claim.voided_at is not None:
        return f"Its claim over {holder} was voided on {claim.voided_at:%Y-%m-%d}."
    if entry.passed:
        return f"{say_proved_over('It', holder, is_tested=claim.p is not None)}."
    return f"Its claim over {holder} did not pass: {entry.shows}."


def _say_time(run: Submission) -> str:
    if run.state == RunState.FAILED:
        return ""
    if run.settled_at is None:
        return f"for {say_seconds((timezone.now() - run.submitted_at).total_seconds())}"
    seconds = (run.settled_at - run.submitted_at).total_seconds()
    return f"in {say_seconds(seconds)}" if seconds < LONGEST_SAID else ""  # a run of the past was imported later


def _find_act(run: Submission, known: _KnownOfRuns, state: OwnState, *, is_last: bool) -> Act | None:
    slug = run.board.slug
    if state is OwnState.OUR_FAULT:
        again = Act(words="Submit again", path=reverse("submit", args=[slug]), is_needed=is_last)
        return again if run.board.is_open else None
    if state in (OwnState.WAITS, OwnState.SCORING):
        return Act(words="Follow it", path=reverse("run_status", args=[slug, run.run_id]))
    against = _find_against(run, known)
    if state is not OwnState.SCORED or not against:
        return None
    return Act(words="See why", path=f"{reverse('compare', args=[slug])}?{urlencode({'b': run.run_id, 'a': against})}")


def _find_against(run: Submission, known: _KnownOfRuns) -> str:
    """Whom its claim was made against, else the highest score of the others; empty where there is none."""
    claim, content = known.claims.get(run.pk), known.boards.get(run.board_id)
    if run.pk not in known.standings or content is None:
        return ""
    first = claim.holder.run_id if claim is not None else content["references"][0]
    return "" if first == run.run_id else str(first)
