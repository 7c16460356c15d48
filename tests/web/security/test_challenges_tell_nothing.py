"""How many first answers of a run nobody has judged is nearly how many queries it misses: so it tells of no hidden run.

A standing campaign asks about first answers that are neither judged nor the label. What everyone but the organisers is
shown is compared word by word: with a probe of which 14 are open, and with one of which 26 are.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import transaction
from tests.web.probing import QUERIES, SLUG, Probed, make_probed, published, walk
from tests.web.security.test_one_label_tells_nothing import first_difference

from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import OpenChallenge
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.site.board import pictures
from toprung.web.site.share import card

pytestmark = pytest.mark.django_db
SHOWN = {"R1": 22, "B1": 16}
"""Open first answers of runs whose scores are shown."""


def challenge(probed: Probed, n_open: int) -> Board:
    """As the task counts it: the holder is challenged by whatever the others have."""
    board = Board.objects.get(pk=probed.board.pk)
    campaign = Campaign.objects.create(
        board=board,
        label_set=board.label_sets.get(is_current=True),
        slug="second-look",
        title="Second look",
        key="a-key-of-the-campaign",
        state=CampaignState.RUNNING,
        is_standing=True,
        created_by=board.created_by,
    )
    counts = {each.run_id: SHOWN.get(each.run_id, 0) for each in board.submissions.all()}
    assert board.holder is not None
    for each in board.submissions.all():
        waiting = n_open if each == probed.probe else counts[each.run_id]
        OpenChallenge.objects.create(
            campaign=campaign,
            submission=each,
            labels_version=board.shown_version,
            n_first=len(QUERIES),
            n_judged=len(QUERIES) - waiting,
            n_open=waiting,
            n_against=n_open if each == board.holder else 0,
            if_lost=0.1,
            if_won=0.2,
        )
    return board


@pytest.mark.parametrize("release", ["board-ladder:auto", "closed:2199-01-01"])
def test_what_a_hidden_run_challenges_is_told_to_organisers_alone(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (pictures, card):
        monkeypatch.setattr(module, "find_painted", lambda drawing, *_, **__: drawing.encode())
    seen = {}
    with transaction.atomic():
        probed = make_probed(release, "this")
        assert probed.probe.shown_score is None
        for n_open in (14, 26):
            with transaction.atomic():
                board = challenge(probed, n_open)
                found = {"anonymous": walk(None), "prober": walk(probed.prober)}
                seen[n_open] = found | {"published": published(board, tmp_path / str(n_open))}
                told = walk(board.created_by)[f"/b/{SLUG}/runs/{probed.probe.run_id}/"]
                assert f"{n_open} of its first answers are not judged" in told
                transaction.set_rollback(True)
    few, many = seen.values()
    for who, pages in few.items():
        assert list(pages) == list(many[who])
        differing = [
            first_difference(url, page, many[who][url]) for url, page in pages.items() if page != many[who][url]
        ]
        assert differing == [], who


def test_what_is_shown_counts_the_runs_that_are_shown() -> None:
    """Of run and baseline 82 of 120 first answers are judged and 38 open: to the nearest ten, and of shares to 20%."""
    board = challenge(make_probed("board-ladder:auto", "this"), 14)
    shown = walk(None)[f"/b/{SLUG}/"]
    assert "About 60% of the first answers" in shown, "of 0.68, to a fifth"
    assert "about 40 challenge these labels now" in shown
    organiser = walk(board.created_by)[f"/b/{SLUG}/"]
    assert "52 challenge these labels now" in organiser
