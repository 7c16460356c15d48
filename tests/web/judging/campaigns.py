"""A campaign as an organiser makes it, on the board of the cast, and people who judge there.

Each pool has the label, ``rel-<query>``, and what run R1 puts first, ``other-<query>-1``. On the first ten queries the
other answer is better in truth, on all others the label is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from django_ox.testing import run_tasks
from tests.web.cast import OFFICIAL, Cast, make_upload
from tests.web.runs import settled

from toprung.data.judgments import Choice
from toprung.data.run_card import RunCard
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.tasks.task import Slot
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import FileKind
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.claims.settle import settle_and_refresh
from toprung.web.services.data.give import FileSaid, give_file
from toprung.web.services.judging.campaigns.golds import judge_golds
from toprung.web.services.judging.campaigns.plan import CampaignChoices, create_campaign
from toprung.web.services.judging.seats import take_seat
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import submit

WRONG = OFFICIAL[:10]
"""Queries whose label is not the best answer."""
CHOSEN: Mapping[str, Any] = {
    "title": "Second look",
    "reward": Decimal("2.00"),
    "budget": Decimal("400.00"),
    "minutes": 8,
}


def best_of(query_id: str) -> str:
    return f"other-{query_id}-1" if query_id in WRONG else f"rel-{query_id}"


def give_texts(
    board: Board, cast: Cast, more: Mapping[str, str] | None = None, *, without: Collection[str] = ()
) -> None:
    """Of every official query but for some, of both answers, and of others that are named."""
    queries = {query: f"What is known of {query}?" for query in OFFICIAL if query not in without}
    passages = {
        doc: f"This is what {doc} says of the matter, in some words of its own."
        for query in OFFICIAL
        for doc in (f"rel-{query}", f"other-{query}-1")
    } | dict(more or {})
    with tempfile.TemporaryDirectory() as folder:
        for kind, texts in ((FileKind.QUERIES, queries), (FileKind.PASSAGES, passages)):
            path = Path(folder) / f"{kind.value}.tsv"
            path.write_text("".join(f"{an_id}\t{text}\n" for an_id, text in texts.items()))
            give_file(board, FileSaid(kind=kind, name=f"{kind.value}.tsv", is_hidden=True), path, by=cast.organiser)


def draft(
    cast: Cast,
    *,
    design: Mapping[str, Any] | None = None,
    texts: Mapping[str, str] | None = None,
    **campaign: Any,
) -> Campaign:
    """A draft with texts, runs and test pairs that were looked at, and what it will buy."""
    settled(cast, "first", 2)
    give_texts(cast.board, cast, texts)
    choices = CampaignChoices(
        label_set=cast.board.label_sets.get(use=LabelUse.OFFICIAL, is_current=True),
        campaign={**CHOSEN, **campaign},
        design={"platform": "own", "seed": 7, **(design or {})},
    )
    made = create_campaign(cast.board, choices, by=cast.organiser)
    run_tasks(raise_failures=True)
    judge_golds(made, [gold.pk for gold in made.proposed_golds.all()], [], by=cast.organiser)
    return Campaign.objects.get(pk=made.pk)


def send(cast: Cast, answers: Callable[[str], Sequence[str]], *, name: str = "new") -> Submission:
    """A run of the other team with these answers to each official query, settled; the challenge of labels waits."""
    lines = [
        f"{query} Q0 {doc} {rank} {9 - rank} new\n"
        for query in OFFICIAL
        for rank, doc in enumerate(answers(query), start=1)
    ]
    others = [f"p{number:02}" for number in range(1, 21)] + ["d01", "d02", "d03"]
    lines += [f"{query} Q0 rel-{query} 1 9 new\n" for query in others]
    upload = make_upload(cast.board, cast.other_team, cast.stranger, "".join(lines).encode())
    check_upload(upload.pk)
    upload.refresh_from_db()
    made = submit(upload, RunCard(name=name), by=cast.stranger)
    score_submission(made.pk)
    settle_and_refresh(cast.board.pk)
    return made


def choose(slot: Slot, *, is_careless: bool = False, better: Collection[str] = ()) -> Choice:
    """The better answer; who is careless takes the left one, unless it is obviously about something else."""
    named = [item for item in (slot.left, slot.right) if item in better]
    best = named[0] if named else slot.good or best_of(slot.query_id)
    return Choice.LEFT if (is_careless and not slot.is_gold) or slot.left == best else Choice.RIGHT


def work(
    campaign: Campaign, assessor: str, *, is_careless: bool = False, better: Collection[str] = (), ms: int = 9_000
) -> Assignment | None:
    """One whole task of somebody; None if there is none for them."""
    take_seat(campaign, assessor)
    sitting = Sitting(CampaignRecords(campaign))
    assignment = sitting.offer(assessor)
    if assignment is None:
        return None
    assignment = sitting.move(assignment, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
    for number, slot in enumerate(sitting.tasks[assignment.task_id].slots):
        sitting.answer(assignment, number, choose(slot, is_careless=is_careless, better=better), ms=ms)
    sitting.submit(assignment)
    return sitting.desk.current(assignment)


def judge_all(campaign: Campaign, *, n_people: int = 5, most: int = 40) -> int:
    """Careful people, in turn, until nothing is left to ask; returns how many tasks they did."""
    done = 0
    for number in range(most):
        done += work(campaign, f"careful-{number % n_people}") is not None
    return done
