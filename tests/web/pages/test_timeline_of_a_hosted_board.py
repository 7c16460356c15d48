"""Whoever follows the top rung of a board by its runs alone finds the holders and claims of the hosted ledger.

The timeline knows who came when, not what was taken back. A run that was withdrawn, and had neither held the rung nor
been in a claim, is left out on both sides and changes nothing. Any other withdrawal, and every void, rests on claims as
they are on record: up to the first of them the timeline is that of the ledger, and after it host and record agree.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from shutil import copy

import pytest
from click.testing import CliRunner
from django.core.files.base import ContentFile
from django.db.models import Q
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.web.cast import DEV, OFFICIAL, PRIVATE, Cast, make_board, make_upload, run_text
from tests.web.viewing import browse

from toprung.analyses.timeline.find import Timeline, timeline
from toprung.boards.engine import claims as engine_claims
from toprung.cli.timeline import timeline as timeline_command
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.columns import board_matrix, official_labels
from toprung.web.core.store.rules import claim_policy
from toprung.web.services.claims.records import dates_of, recorded_timeline, settled_submissions
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.claims.void import void_claim
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import RunCard, add_baseline, submit

BOARDS = [("RR@10", "no_harm"), ("RR@10", "both"), ("RR@10", "score"), ("nDCG@10", "measure"), ("AP", "measure")]
"""What is measured, and what a claim must show."""
GRADED = [f"{query} 0 rel-{query} 3\n{query} 0 other-{query}-1 1\n{query} 0 other-{query}-4 2\n" for query in OFFICIAL]
"""Every query has three relevant documents, of three grades."""
numbers = count(1)


@dataclass(frozen=True, kw_only=True)
class Comes:
    """A run that finds so many answers at one rank and the others at another; turned round it is as good as before."""

    sooner: int
    later: int
    n_sooner: int
    is_turned: bool
    is_baseline: bool

    def content(self) -> bytes:
        ranks = [self.sooner] * self.n_sooner + [self.later] * (len(OFFICIAL) - self.n_sooner)
        placed = dict(zip(OFFICIAL, reversed(ranks) if self.is_turned else ranks, strict=True))
        return run_text(placed | dict.fromkeys((*PRIVATE, *DEV), 1), name=f"run-{next(numbers)}")


@dataclass(frozen=True, kw_only=True)
class Goes:
    """A team takes a run back, or a claim is voided: that of so many which could be."""

    place: int
    is_void: bool


coming = st.builds(
    Comes,
    sooner=st.sampled_from([1, 3]),
    later=st.sampled_from([0, 6, 7]),
    n_sooner=st.sampled_from([4, 20, 21, 34]),
    is_turned=st.booleans(),
    is_baseline=st.sampled_from([False, False, True]),
)
going = st.builds(Goes, place=st.integers(0, 5), is_void=st.booleans())
events = st.lists(st.one_of(coming, coming, coming, going), min_size=3, max_size=8)
given_boards = given(events=events, board=st.sampled_from(BOARDS))
few_and_many = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]}


@given_boards
@settings(max_examples=8, **few_and_many)
def test_the_timeline_of_a_board_is_its_ledger(
    cast: Cast, events: Sequence[Comes | Goes], board: tuple[str, str]
) -> None:
    live_through(cast, events, *board)


@pytest.mark.slow
@given_boards
@settings(max_examples=300, **few_and_many)
def test_the_timelines_of_many_boards_are_their_ledgers(
    cast: Cast, events: Sequence[Comes | Goes], board: tuple[str, str]
) -> None:
    live_through(cast, events, *board)


def test_the_command_finds_the_holders_of_the_ledger_in_files(cast: Cast, tmp_path: Path) -> None:
    """From the board as it is exported, and the files that were sent to it; a run comes before the baselines."""
    board = make_board("files", cast.organiser, cutoff=10, official_measure="RR@10", rule="measure", quota=100)
    for n_sooner, is_baseline in ((4, False), (20, True), (20, False), (34, True), (21, False)):
        come(cast, board, Comes(sooner=1, later=0, n_sooner=n_sooner, is_turned=False, is_baseline=is_baseline))
    submissions = settled_submissions(board)
    for each in submissions:
        Submission.objects.filter(pk=each.pk).update(submitted_at=each.submitted_at + timedelta(days=each.number))
        copy(each.upload.original.path, tmp_path / f"{each.run_id}.txt")
    compute_results(board.pk)
    (tmp_path / "board.csv").write_bytes(browse(cast.organiser).get("/b/files/export.csv").content)
    copy(official_labels(board).file.path, tmp_path / "labels.txt")
    files = [str(tmp_path / name) for name in ("labels.txt", *(f"{each.run_id}.txt" for each in submissions))]
    options = ["-m", "RR@10", "--rule", "measure", "--dates", str(tmp_path / "board.csv"), "-f", "json"]
    answer = CliRunner().invoke(timeline_command, [*files, *options])
    assert answer.exit_code == 0, answer.output
    told, recorded = json.loads(answer.stdout)["submissions"], on_record(board, submissions).submissions
    assert [each["challenged"] for each in told] == [each.holder for each in recorded] == ["R1", "R1", "R2", "R2", "R2"]
    for name in ("p", "level", "smallest_gain", "passed"):
        assert [each[name] for each in told] == [each.claim and getattr(each.claim, name) for each in recorded]


def live_through(cast: Cast, events: Sequence[Comes | Goes], measure: str, rule: str) -> None:
    slug = f"board-{next(numbers)}"
    board = make_board(slug, cast.organiser, official_measure=measure, cutoff=10, rule=rule, quota=100)
    if not measure.startswith("RR"):
        regrade(board)
    is_as_it_came = True
    for event in events:
        if isinstance(event, Comes):
            come(cast, board, event)
        elif (gone := choose(board, event)) is not None:
            if is_as_it_came and not is_left_out(board, event, gone):
                check_timeline(board)
                is_as_it_came = False
            go(cast, event, gone)
        board.refresh_from_db()
        check_record(board)
    if is_as_it_came:
        check_timeline(board)


def regrade(board: Board) -> None:
    content = "".join(GRADED).encode()
    labels = official_labels(board)
    labels.digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    labels.file = ContentFile(content, name=f"{board.slug}-graded.txt")
    labels.save()


def come(cast: Cast, board: Board, run: Comes) -> None:
    user = cast.organiser if run.is_baseline else cast.participant
    upload = make_upload(board, None if run.is_baseline else cast.team, user, run.content())
    check_upload(upload.pk)
    upload.refresh_from_db()
    card = RunCard(name=f"run {next(numbers)}")
    submission = add_baseline(upload, card, by=user) if run.is_baseline else submit(upload, card, by=user)
    assert score_submission(submission.pk)
    assert settle_board(board.pk) == 1


def choose(board: Board, event: Goes) -> Submission | None:
    """Baselines are withdrawn by nobody."""
    if event.is_void:
        choices = [claim.submission for claim in board.claims.filter(voided_at=None).order_by("number")]
    else:
        choices = [each for each in settled_submissions(board) if not each.is_baseline]
    return choices[event.place % len(choices)] if choices else None


def go(cast: Cast, event: Goes, gone: Submission) -> None:
    if event.is_void:
        void_claim(gone.claim, reason="The run was made with the labels.", by=cast.organiser)
    else:
        withdraw(gone, by=cast.participant)


def is_left_out(board: Board, event: Goes, gone: Submission) -> bool:
    in_claims = board.claims.filter(Q(submission=gone) | Q(holder=gone)).exists()
    return not event.is_void and not in_claims and board.holder_id != gone.pk


def check_timeline(board: Board) -> None:
    """Holder by holder and claim by claim."""
    submissions = settled_submissions(board)
    if submissions:
        followed, recorded = follow(board, submissions), on_record(board, submissions)
        assert [each.holder for each in followed.submissions] == [each.holder for each in recorded.submissions]
        assert [each.leader for each in followed.submissions] == [each.leader for each in recorded.submissions]
        gains = {claim.run: claim.smallest_gain for claim in followed.claims}
        were_all_there = not board.submissions.exclude(withdrawn_at=None).exists()
        for claim in recorded.claims:  # what it could see, it saw among all that were there on its day
            assert claim.smallest_gain == gains[claim.run] or not were_all_there
        assert repr(without_gains(followed)) == repr(without_gains(recorded))  # as text, for some means are NaN
        assert followed.state == recorded.state


def without_gains(found: Timeline) -> list[engine_claims.TestedClaim]:
    return [replace(claim, smallest_gain=None) for claim in found.claims]


def follow(board: Board, submissions: Sequence[Submission]) -> Timeline:
    """By what an organiser can take home: first ranks or scores, and dates."""
    policy = claim_policy(board)
    return timeline(
        board_matrix(official_labels(board), submissions, board),
        dates=dates_of(submissions),
        rule=policy.rule,
        baselines=[each.run_id for each in submissions if each.is_baseline],
    )


def on_record(board: Board, submissions: Sequence[Submission]) -> Timeline:
    return recorded_timeline(board, board_matrix(official_labels(board), submissions, board), submissions)


def check_record(board: Board) -> None:
    """Who holds the rung is the same to the host and on record; None where every run left has a voided claim."""
    submissions = settled_submissions(board)
    if board.holder is not None:
        assert on_record(board, submissions).challenged.run == board.holder.run_id
    else:
        assert all(board.claims.filter(submission=each).exclude(voided_at=None).exists() for each in submissions)
