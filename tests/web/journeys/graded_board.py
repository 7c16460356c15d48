"""Two boards of graded labels that tests look at and nobody changes: one with labels v2, and one that has ended.

Eight runs on thirty queries; a better run sees what a document is worth through less haze (``demo.made.graded``).
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from allauth.account.models import EmailAddress
from demo.made.files import write_labels
from demo.made.graded import draw_grades, draw_rankings
from django.core.files.base import ContentFile
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.busy_boards import World
from tests.web.cast import make_upload

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.people import Team, User
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.ending.close import close_board
from toprung.web.services.following.hooks import add_hook
from toprung.web.services.labels.publish import current_version, plan_version, publish
from toprung.web.services.query.report import report_label
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import add_baseline, submit

GRADED, ENDED = "graded", "ended"
N_QUERIES, SEED = 30, 5
N_GRADED_ANEW = 12
"""Queries whose documents labels v2 grade otherwise."""
MEASURES = ["AP@30", "RR@10"]
SHARPNESS = {"bm25": 0.4, "heron": 0.7, "plover": 0.9, "curlew": 1.1, "godwit": 1.2, "dunlin": 1.5, "whimbrel": 1.55}
SHARPNESS |= {"turnstone": 1.6, "avocet": 1.5}
BASELINE = "bm25"
WHY = "Twelve queries were graded again."

type Grades = Mapping[str, Mapping[str, int]]


def make_graded_boards(world: World) -> None:
    """Call it while no other task waits: it does all there are."""
    grades = draw_grades(N_QUERIES, seed=SEED)
    anew = draw_grades(N_QUERIES, seed=SEED + 1)
    for slug in (GRADED, ENDED):
        board = _make_board(slug, world, grades)
        _add_runs(board, world, grades)
    _publish(
        Board.objects.get(slug=GRADED), world.cast.organiser, dict(grades) | dict(list(anew.items())[:N_GRADED_ANEW])
    )
    EmailAddress.objects.create(
        user=world.cast.participant, email=world.cast.participant.email, verified=True, primary=True
    )
    report_label(Board.objects.get(slug=GRADED), "t1", "The third document is no answer.", by=world.cast.participant)
    close_board(Board.objects.get(slug=ENDED), typed=ENDED, by=world.cast.organiser)
    run_tasks(raise_failures=True)
    add_hook(Board.objects.get(slug=GRADED), world.cast.participant, "https://example.org/hook")
    assert Board.objects.get(slug=GRADED).shown_version == 2
    assert Board.objects.get(slug=ENDED).is_final


def _make_board(slug: str, world: World, grades: Grades) -> Board:
    board = Board.objects.create(
        slug=slug,
        title=f"The {slug} board",
        task="Rank documents by how much they help.",
        created_by=world.cast.organiser,
        who_may_submit=Admission.ANYONE,
        official_measure="nDCG@10",
        other_measures=MEASURES,
        cutoff=10,
        rule="measure",
        release="full",
        quota=20,
        opens_at=timezone.now(),
    )
    BoardRole.objects.create(board=board, user=world.cast.organiser, role=Role.ORGANISER)
    content = _written(grades)
    LabelSet.objects.create(
        board=board,
        use=LabelUse.OFFICIAL,
        name="official",
        is_hidden=False,
        n_queries=len(grades),
        digest=f"sha256:{hashlib.sha256(content).hexdigest()}",
        file=ContentFile(content, name=f"{slug}.txt"),
    )
    return board


def _written(grades: Grades) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        write_labels(Path(folder) / "labels", grades)
        return (Path(folder) / "labels").read_bytes()


def _add_runs(board: Board, world: World, grades: Grades) -> None:
    kinds = [name[0] for name in SHARPNESS]
    rankings = draw_rankings(grades, list(SHARPNESS.values()), kinds, seed=SEED)
    teams = [(world.cast.team, world.cast.participant), (world.cast.other_team, world.cast.stranger)]
    for number, (name, ranking) in enumerate(zip(SHARPNESS, rankings, strict=True)):
        team, user = (None, world.cast.organiser) if name == BASELINE else teams[number % 2]
        _add_run(board, name, ranking, team, user)
    compute_results(board.pk)


def _add_run(board: Board, name: str, ranking: Mapping[str, Sequence[str]], team: Team | None, user: User) -> None:
    lines = (
        f"{query_id} Q0 {doc_id} {rank} {100 - rank} {name}\n"
        for query_id, docs in ranking.items()
        for rank, doc_id in enumerate(docs, start=1)
    )
    upload = make_upload(board, team, user, "".join(lines).encode(), file_name=f"{name}.txt")
    check_upload(upload.pk)
    upload.refresh_from_db()
    card = RunCard(name=name, cost=1.0 + len(name), latency=10.0 * len(name))
    run = add_baseline(upload, card, by=user) if team is None else submit(upload, card, by=user)
    score_submission(run.pk)
    settle_board(board.pk)


def _publish(board: Board, organiser: User, grades: Grades) -> None:
    current = current_version(board, LabelUse.OFFICIAL)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.txt"
        write_labels(path, grades)
        publish(board, current, plan_version(current, path, "new.txt"), changes=WHY, by=organiser)
