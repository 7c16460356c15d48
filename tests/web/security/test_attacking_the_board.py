"""An attacker with an account for each submission climbs a hidden board through the server, and gains next to nothing.

Every run is sent as a file, checked, charged, scored and settled by the real services, and what the attacker learns is
read from the public leaderboard. The same attack on a board that shows every score is successful: it can be.
"""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from django.test import Client
from tests.web.cast import Cast, make_cast, make_team, make_user
from tests.web.probing import QUERIES, SLUG, make_small_board, send_run

from toprung.analyses.simulate.gains import known_gains
from toprung.boards.disclosure.release import read_release
from toprung.web.core.models.boards import Admission, Board
from toprung.web.core.models.people import Membership
from toprung.web.core.models.runs import Submission
from toprung.web.services.boards.teams import approve_team
from toprung.web.services.claims.void import void_claim
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.admission import ask_to_take_part
from toprung.web.services.runs.submit import SubmissionRefusedError

pytestmark = pytest.mark.django_db
SUBMISSIONS = 40
DESERVED = 0.75
LUCK = 2 * 0.25 / len(QUERIES) ** 0.5
"""Of one run that knows nothing."""


def text_of_picks(picks: np.ndarray, mark: int, answered: np.ndarray | None = None) -> bytes:
    """Of two documents for the first rank of each query one is relevant; the rest differs so that no run is a copy.

    A query that is not answered has neither.
    """
    lines = []
    is_answered = np.ones(len(QUERIES), dtype=bool) if answered is None else answered
    for query, is_this, has_any in zip(QUERIES, picks, is_answered, strict=True):
        pair = (f"rel-{query}", f"else-{query}") if is_this else (f"else-{query}", f"rel-{query}")
        fillers = [f"filler-{mark}-{rank}" for rank in range(1, 11)]
        documents = [*(pair if has_any else ()), *fillers][:10]
        lines += [f"{query} Q0 {each} {rank} {100 - rank} run\n" for rank, each in enumerate(documents, start=1)]
    return "".join(lines).encode()


def stated() -> float:
    return known_gains(read_release("board-ladder:auto"), len(QUERIES), measure="RR@10").by_accounts[100]


def shown_scores() -> dict[str, float]:
    """As everyone reads them in the export."""
    rows = csv.DictReader(io.StringIO(Client().get(f"/b/{SLUG}/export.csv").text))
    return {row["run"]: float(row["score"]) for row in rows if row.get("score")}


def attack(release: str, *, is_hidden: bool = True) -> float:
    """Random picks from fresh teams, then the picks that went with high scores; returns what they gain."""
    (cast, board), rng = rr_board(release), np.random.default_rng(5)
    board.label_sets.update(is_hidden=is_hidden)
    board.refresh_from_db()
    is_this = np.arange(len(QUERIES)) % 4 != 0  # an honest run: right on three of four, 0.875, stands on top
    send_run(board, cast.team, cast.participant, "honest", text_of_picks(is_this, 999))
    tries = rng.random((SUBMISSIONS, len(QUERIES))) < 0.5
    sent = [send_fresh(board, number, picks).run_id for number, picks in enumerate(tries)]
    compute_results(board.pk)
    told = shown_scores()
    heard = [(np.where(picks, 1.0, -1.0), told[run]) for run, picks in zip(sent, tries, strict=True) if run in told]
    final = rng.random(len(QUERIES)) < 0.5
    if len(heard) > 1:
        sides, scores = np.array([each for each, _ in heard]), np.array([score for _, score in heard])
        final = sides.T @ (scores - scores.mean()) > 0
    gained = send_fresh(board, SUBMISSIONS, final)
    return (gained.score or 0.0) - DESERVED


def send_fresh(board: Board, number: int, picks: np.ndarray, answered: np.ndarray | None = None) -> Submission:
    user = make_user(f"fresh{number}")
    content = text_of_picks(picks, number, answered)
    return send_run(board, make_team(f"Fresh {number}", user), user, f"run-{number}", content)


def rr_board(release: str) -> tuple[Cast, Board]:
    cast = make_cast()
    board = make_small_board(cast, release, {})
    Board.objects.filter(pk=board.pk).update(official_measure="RR@10", cutoff=10)
    board.refresh_from_db()
    return cast, board


def test_fresh_teams_gain_what_is_stated_for_the_default() -> None:
    assert attack("board-ladder:auto") <= stated() + LUCK


def test_an_empty_board_is_not_climbed_by_blocks_further_than_is_stated() -> None:
    """A block of fifteen queries a time, kept where a score is shown."""
    _, board = rr_board("board-ladder:auto")
    rng = np.random.default_rng(4)
    picks, known, reached, n_shown = rng.random(len(QUERIES)) < 0.5, np.zeros(len(QUERIES), dtype=bool), 0, 0
    for number in range(SUBMISSIONS):
        to = min(reached + 15, len(QUERIES))
        picks[reached:to] = rng.random(to - reached) < 0.5
        answered = known.copy()
        answered[reached:to] = True
        if send_fresh(board, number, picks, answered).shown_score is not None:
            known, reached, n_shown = answered, to, n_shown + 1
    assert 1 <= n_shown <= 5
    assert np.where(picks, 1.0, 0.5).mean() - DESERVED <= stated() + LUCK


def test_who_takes_every_run_back_and_has_claims_voided_hears_no_more_than_the_ladder_says() -> None:
    cast, board = rr_board("board-ladder:auto")
    rng = np.random.default_rng(3)
    sent = list[Submission]()
    for number in range(12):
        picks = rng.random(len(QUERIES)) < 0.5
        sent.append(send_run(board, cast.team, cast.participant, f"run-{number}", text_of_picks(picks, number)))
        for claim in board.claims.filter(voided_at=None):
            void_claim(claim, reason="It was made with the labels.", by=cast.organiser)
        if number:
            withdraw(sent[-2], by=cast.participant)
    compute_results(board.pk)
    assert shown_scores() == {}
    heard = {each.run_id for each in sent if each.shown_score is not None}
    assert set(board.submissions.exclude(shown_score=None).values_list("run_id", flat=True)) == heard == {"R1"}


def test_where_teams_are_approved_one_approved_person_gets_no_fresh_team_or_account_in() -> None:
    """Neither with teams that they found, nor with accounts that they take into theirs."""
    cast = make_cast()
    board = make_small_board(cast, "ladder:0.05", {})
    Board.objects.filter(pk=board.pk).update(who_may_submit=Admission.APPROVED, quota=50)
    board.refresh_from_db()
    ask_to_take_part(board, cast.participant, cast.team)
    approve_team(board, cast.team, [cast.participant.pk], by=cast.organiser)
    picks = np.random.default_rng(6).random((9, len(QUERIES))) < 0.5
    send_run(board, cast.team, cast.participant, "own", text_of_picks(picks[0], 0))
    for number in range(1, 5):
        team, user = make_team(f"Fresh {number}", cast.participant), make_user(f"fresh{number}")
        Membership.objects.create(team=cast.team, user=user)
        for place, (sender, for_team) in enumerate(((cast.participant, team), (user, cast.team), (user, team))):
            mark = 10 * number + place
            with pytest.raises(SubmissionRefusedError, match="take part"):
                send_run(board, for_team, sender, f"run-{mark}", text_of_picks(picks[number], mark))
    assert board.submissions.count() == 1


def test_where_every_score_is_shown_they_gain_much() -> None:
    """About 0.15: of 40 exact answers each tells a little of all 60 queries."""
    assert attack("full", is_hidden=False) > 0.09
