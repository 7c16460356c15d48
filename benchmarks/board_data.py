"""A board with many submissions, made straight in the database; settled and computed by the code that boards use."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks.spent import Spent, timed

if TYPE_CHECKING:
    from toprung.web.core.models.boards import Board
    from toprung.web.core.models.labels import LabelSet
    from toprung.web.core.models.people import Team, User

RUNS_A_TEAM = 10
CUTOFF = 100
SKILL = 0.5
"""By how much the best run is better than the worst, in units of how much queries differ."""
SEED = 20210711
LONGEST_AGO = 20_000
"""Hours before the board was made, as if it had been there before."""


@dataclass(frozen=True, kw_only=True)
class MadeBoard:
    """A board, and what the tasks took that a worker would have done."""

    slug: str
    settling: Spent
    computing: Spent


def make_board(n_runs: int, n_queries: int) -> MadeBoard:
    """Runs of teams that have ten each, submitted in the order of their numbers."""
    from toprung.web.services.claims.settle import settle_board
    from toprung.web.services.results.compute import compute_results

    board, labels, organiser = make_empty(f"runs-{n_runs}", n_queries)
    teams = make_teams(-(-n_runs // RUNS_A_TEAM))
    make_runs(board, labels, teams, organiser, draw_ranks(n_runs, n_queries))
    _, settling = timed(lambda: settle_board(board.pk))
    _, computing = timed(lambda: compute_results(board.pk))
    return MadeBoard(slug=board.slug, settling=settling, computing=computing)


def draw_ranks(n_runs: int, n_queries: int) -> NDArray[np.int32]:
    """Queries × runs: where each first answers, 0 below the cutoff. Hard queries are hard for all."""
    rng = np.random.default_rng(SEED)
    hardness = rng.normal(size=(n_queries, 1))
    skill = rng.permutation(np.linspace(0.0, SKILL, n_runs))
    ranks = np.exp(1.0 + hardness - skill + 0.5 * rng.normal(size=(n_queries, n_runs))).astype(np.int32) + 1
    return np.where(ranks > CUTOFF, 0, ranks).astype(np.int32)


def make_empty(slug: str, n_queries: int, release: str = "rounded:3") -> tuple[Board, LabelSet, User]:
    """With hidden labels, of one answer to each query."""
    from toprung.web.core.models.labels import LabelUse
    from toprung.web.core.models.people import User
    from toprung.web.core.store.plan import BoardPlan
    from toprung.web.services.boards.create import create_board
    from toprung.web.services.labels.read import LabelPlan

    organiser = User.objects.filter(may_create_boards=True).first() or User.objects.create_user(
        "organiser@example.org", None, may_create_boards=True
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.txt"
        path.write_text("".join(f"{query:06} 0 d{query} 1\n" for query in range(n_queries)))
        official = LabelPlan(key="official", use=LabelUse.OFFICIAL, path=path, file_name=path.name)
        plan = BoardPlan(slug=slug, title=slug, task="Be found.", release=release)
        board = create_board(plan, [official], by=organiser)
    return board, board.label_sets.get(), organiser


def make_teams(number: int) -> list[Team]:
    from toprung.web.services.people.teams import found_team

    return [found_team(f"Laboratory {place:03}") for place in range(number)]


def show_settled(board: Board, labels: LabelSet) -> None:
    """What the release policy shows of runs that were made as if settled; the best of these holds the rung."""
    from toprung.web.core.models.runs import Submission
    from toprung.web.services.claims.records import released_submissions, settled_submissions
    from toprung.web.services.claims.releasing import replay_releases

    settled = settled_submissions(board)
    shown = replay_releases(board, labels, settled)
    for each in settled:
        each.shown_score = shown[each.pk]
    Submission.objects.bulk_update(settled, ["shown_score"], batch_size=500)
    board.holder = max(released_submissions(settled), key=lambda each: each.score or 0.0)
    board.results_due = 1
    board.save()


def make_runs(
    board: Board,
    labels: LabelSet,
    teams: list[Team],
    organiser: User,
    ranks: NDArray[np.int32],
    *,
    are_settled: bool = False,
) -> None:
    """Scored runs; as if settled before (see ``show_settled``), without a claim, or for the code that settles them."""
    from django.db import transaction

    from toprung.web.core.models.runs import FirstRankColumn, RunState, ScoreColumn, Submission, Upload, UploadState
    from toprung.web.core.store.columns import pack

    n_runs, before = ranks.shape[1], board.submissions.count()
    with transaction.atomic():
        for place in range(before, before + n_runs):
            column = np.ascontiguousarray(ranks[:, place - before])
            scores = np.divide(1.0, column, out=np.zeros(len(column)), where=column > 0)
            at = board.created_at - timedelta(hours=LONGEST_AGO - place)
            team = teams[place % len(teams)]
            upload = Upload.objects.create(
                board=board,
                team=team,
                user=organiser,
                sent_at=at,
                state=UploadState.ACCEPTED,
                file_name="run.txt.gz",
                size=1,
                digest=f"sha256:{place:064x}",
            )
            run = Submission.objects.create(
                board=board,
                number=place + 1,
                run_id=f"R{place + 1}",
                name=f"a run of some length, number {place + 1}",
                team=team,
                user=organiser,
                upload=upload,
                submitted_at=at,
                state=RunState.DONE if are_settled else RunState.SCORED,
                settled_at=at if are_settled else None,
                tags=["dense"] if place % 3 else [],
                said={"latency": float(place * 37 % 1000 + 1), "cost": float(place * 13 % 100 + 1)},
                score=float(scores.mean()),
            )
            FirstRankColumn.objects.create(submission=run, label_set=labels, packed=pack(column))
            ScoreColumn.objects.create(
                submission=run,
                label_set=labels,
                measure=board.official_measure,
                mean=float(scores.mean()),
                packed=pack(scores),
            )
