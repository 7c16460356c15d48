"""From a checked file to a place on the board: scored once, settled in order, claims tested and on record."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django_ox.testing import run_tasks
from tests.web.cast import OFFICIAL, Cast, even_ranks, make_upload, run_text

from toprung.data.matrices import FirstRanks
from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import Charge, RunState, Submission
from toprung.web.core.store.audit import find_break
from toprung.web.core.store.columns import board_matrix, official_labels
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.submit import SubmissionRefusedError, submit

pytestmark = pytest.mark.postgres


def submit_run(cast: Cast, name: str, rank: int, *, team: Team | None = None, user: User | None = None) -> Submission:
    upload = make_upload(cast.board, team or cast.team, user or cast.participant, run_text(even_ranks(rank)))
    check_upload(upload.pk)
    submission = submit(upload, RunCard(name=name), by=user or cast.participant)
    run_tasks()
    submission.refresh_from_db()
    return submission


def test_a_run_is_scored_on_the_official_queries(cast: Cast) -> None:
    submission = submit_run(cast, "second", 2)
    assert submission.state == RunState.DONE
    assert submission.score == 0.5
    assert submission.run_id == "R1"


def test_the_first_run_holds_the_rung_without_a_claim(cast: Cast) -> None:
    first = submit_run(cast, "first", 4)
    cast.board.refresh_from_db()
    assert cast.board.holder == first
    assert not cast.board.claims.exists()


def test_a_better_run_claims_and_takes_the_rung(cast: Cast) -> None:
    submit_run(cast, "first", 4)
    better = submit_run(cast, "better", 1, team=cast.other_team, user=cast.stranger)
    cast.board.refresh_from_db()
    claim = cast.board.claims.get()
    assert (claim.number, claim.passed, round(claim.level, 6)) == (1, True, 0.002221)
    assert claim.p == 2 * 2.0**-39, "forty equal differences, and two ways to be better"
    assert (claim.verdict, claim.grade) == ("B", "no_harm")
    assert cast.board.holder == better
    assert find_break(cast.board) is None


def test_a_third_run_within_the_window_is_refused_and_not_charged(cast: Cast) -> None:
    submit_run(cast, "one", 4)
    submit_run(cast, "two", 5)
    with pytest.raises(SubmissionRefusedError, match="no submission left: 2 in any 30 days"):
        submit_run(cast, "three", 1)
    assert Charge.objects.count() == 2


def test_a_changed_audit_entry_is_found(cast: Cast) -> None:
    submit_run(cast, "first", 4)
    submit_run(cast, "second", 2)
    cast.board.audit.filter(number=2).update(what="nothing happened")
    assert find_break(cast.board) == 2


def test_results_are_stored_for_both_audiences(cast: Cast) -> None:
    submit_run(cast, "first", 4)
    submit_run(cast, "better", 1, team=cast.other_team, user=cast.stranger)
    compute_results(cast.board.pk)  # the task ran it before; a failure there would be retried and not seen
    kinds = {(each.kind, each.audience) for each in cast.board.results.all()}
    both = {(kind, who) for kind in ("board", "timeline", "stability", "compare") for who in ("public", "organisers")}
    assert kinds >= both | {("validity", "organisers")}
    assert ("validity", "public") not in kinds
    first = cast.board.standings.get(audience="public", place=1)
    assert first.content["run"] == "R2"
    assert first.content["status"] == "last proved gain"


def test_stored_ranks_are_those_of_the_official_measure(cast: Cast) -> None:
    """Of grade 2 on every other query: there rank 2 within the cutoff, on the others nobody answers."""
    board = cast.board
    Board.objects.filter(pk=board.pk).update(official_measure="RR(rel=2)@10", cutoff=10)
    labels = official_labels(board)
    lines = [f"{query} 0 rel-{query} {1 + number % 2}\n" for number, query in enumerate(OFFICIAL)]
    labels.file, labels.digest = ContentFile("".join(lines).encode(), name="graded.txt"), "sha256:graded"
    labels.save()
    run = submit_run(cast, "second", 2)
    board.refresh_from_db()
    matrix = board_matrix(official_labels(board), [run], board)
    assert isinstance(matrix, FirstRanks)
    assert (matrix.measure, matrix.values[:, 0].tolist()) == ("RR(rel=2)@10", [0, 2] * 20)
    assert run.score == matrix.reciprocal().values.mean() == 0.25
