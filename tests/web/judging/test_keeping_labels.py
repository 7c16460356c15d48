"""Until a challenge is decided: what the run, the holder and the board say of it, to whom.

Run R1 has the label second on all 40 queries, RR ½. The new run has a new answer first on q01, and the label third on
all: RR ⅓. Won, the new answer is the label of q01: R1 has 39 × ½ / 40, the new run (39 × ⅓ + 1) / 40.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, give_texts, send
from tests.web.judging.reading import come, judge_task
from tests.web.reading import row_of, text_of
from tests.web.versions import ANSWERS, publish_labels

from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import OpenChallenge
from toprung.web.core.models.judging import Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.services.judging.campaigns import upkeep
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.campaigns.upkeep_words import BoardUpkeep

WON_HOLDER, WON_NEW = 39 / 80, 14 / 40
OTHER_LABEL = ANSWERS | {"q40": {"elsewhere": 1}}


def answers_of(query: str) -> tuple[str, ...]:
    return ("better-q01" if query == "q01" else f"other-{query}-1", f"x-{query}", f"rel-{query}")


@pytest.fixture
def challenged(cast: Cast) -> Campaign:
    campaign = draft(cast, is_standing=True, access=CampaignAccess.OPEN, shows_hidden_to_strangers=True)
    start(campaign, by=cast.organiser)
    give_texts(cast.board, cast, {"better-q01": "This one says in full how q01 is answered, and why."})
    send(cast, answers_of)
    run_tasks(raise_failures=True)
    return campaign


def look(cast: Cast, name: str, *more: object, by: Client | None = None) -> str:
    return (by or Client()).get(reverse(name, args=[cast.board.slug, *more])).content.decode()


def ask(cast: Cast, path: str = "") -> dict[str, object]:
    found: dict[str, object] = Client().get(f"/api/v1/boards/{cast.board.slug}{path}").json()
    return found


def exported(cast: Cast, view: str = "", by: Client | None = None) -> dict[str, dict[str, object]]:
    """The rows of the file, by run."""
    found = (by or Client()).get(f"/b/{cast.board.slug}/export.json{view}").json()
    return {each["run"]: each for each in found["runs"]}


@pytest.mark.django_db
def test_the_run_and_the_holder_show_two_scores_until_the_challenge_is_decided(
    cast: Cast, challenged: Campaign
) -> None:
    holder = Board.objects.get(pk=cast.board.pk).holder
    assert holder is not None
    assert holder.run_id == "R1"
    new, held = (OpenChallenge.objects.get(submission__run_id=label) for label in ("R2", "R1"))
    assert (new.n_open, new.n_against, held.n_open, held.n_against) == (1, 0, 0, 1)
    assert (held.if_lost, held.if_won) == pytest.approx((0.5, WON_HOLDER))
    assert (new.if_lost, new.if_won) == pytest.approx((1 / 3, WON_NEW))
    page = look(cast, "leaderboard")
    assert "0.500 until it is judged 0.488/0.500" in row_of(page, "R1")
    assert "0.333 until it is judged 0.333/0.350" in row_of(page, "R2")
    # 40 first answers of R1 and 39 of the new run are judged, of 80
    assert "99% of the first answers of all runs are judged; 1 challenges these labels now. Labels v1" in text_of(page)
    assert "its RR@100 is 0.500 if it is lost and 0.488 if it is won" in look(cast, "run", "R1")
    assert "1 of its first answers is not judged yet: its RR@100 is 0.333 if" in look(cast, "run", "R2")
    kept = ask(cast)["upkeep"]
    assert isinstance(kept, dict)
    assert (kept["share_judged"], kept["n_open"], kept["labels_version"]) == (79 / 80, 1, 1)
    items = ask(cast, "/standings")["items"]
    assert isinstance(items, list)
    told = {each["run"]: each["until_judged"] for each in items}
    assert told == {"R1": {"if_lost": 0.5, "if_won": 0.488}, "R2": {"if_lost": 0.333, "if_won": 0.35}}, "as on pages"
    assert ask(cast, "/runs/R1")["until_judged"] == told["R1"]
    ends = {run: (each["until_judged_low"], each["until_judged_high"]) for run, each in exported(cast).items()}
    assert ends == {"R1": (0.488, 0.5), "R2": (0.333, 0.35)}, "the lower end first"
    assert "until_judged_low" not in exported(cast, "?cols=rank")["R1"], "a view without scores"

    for _ in range(2):
        judge_task(come(challenged), better=["This is what rel-q01 says of the matter, in some words of its own."])
    run_tasks(raise_failures=True)
    assert not OpenChallenge.objects.filter(n_open__gt=0).exists()
    assert not OpenChallenge.objects.filter(n_against__gt=0).exists(), "the holder has its score back"
    page = look(cast, "leaderboard")
    assert "until it is judged" not in page
    assert "100% of the first answers of all runs are judged; 0 challenge these labels now" in text_of(page)


@pytest.mark.django_db
def test_after_new_labels_nothing_is_said_until_it_is_counted_under_them(
    cast: Cast, challenged: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version 2 has another label on q40, which nobody finds: R1 has 39 × ½ / 40 if q01 stays, 38 × ½ / 40 if not."""
    with monkeypatch.context() as before:
        before.setattr(upkeep, "challenge_labels", lambda _: None)
        publish_labels(cast, tmp_path, OTHER_LABEL)
        run_tasks(raise_failures=True)
    assert Board.objects.get(pk=cast.board.pk).shown_version == 2
    page = look(cast, "leaderboard")
    assert "until it is judged" not in page
    assert "Labels v2 are shown since" in text_of(page)
    assert "How many first answers challenge them is being counted." in text_of(page)
    for run in ("R1", "R2"):
        assert "held against labels v2: what it may come to is being counted." in look(cast, "run", run)
        assert ask(cast, f"/runs/{run}")["until_judged"] is None
        assert "until_judged_low" not in exported(cast)[run]
    told = ask(cast)["upkeep"]
    assert isinstance(told, dict)
    assert (told["share_judged"], told["n_open"], told["labels_version"]) == (None, None, 2)

    upkeep.challenge_labels(cast.board.pk)
    assert "0.488 until it is judged 0.475/0.488" in row_of(look(cast, "leaderboard"), "R1")
    assert "its RR@100 is 0.488 if it is lost and 0.475 if it is won" in look(cast, "run", "R1")


@pytest.mark.django_db
def test_new_labels_ask_by_themselves_that_first_answers_are_held_against_them(
    cast: Cast, challenged: Campaign, tmp_path: Path
) -> None:
    publish_labels(cast, tmp_path, OTHER_LABEL)
    run_tasks(raise_failures=True)
    assert set(OpenChallenge.objects.values_list("labels_version", flat=True)) == {2}
    assert challenged.board.campaigns.count() == 1
    assert "0.488 until it is judged 0.475/0.488" in row_of(look(cast, "leaderboard"), "R1")


@pytest.mark.django_db
def test_of_hidden_labels_only_organisers_see_two_scores_and_of_a_closed_campaign_nobody(
    cast: Cast, challenged: Campaign
) -> None:
    LabelSet.objects.filter(board=cast.board, use=LabelUse.OFFICIAL).update(is_hidden=True)
    page, organiser = look(cast, "leaderboard"), Client()
    assert "until it is judged" not in page
    assert "About 100% of the first answers of all runs are judged; fewer than 10 challenge these" in text_of(page)
    assert "0.4875" not in look(cast, "run", "R1")
    kept = ask(cast)["upkeep"]
    assert isinstance(kept, dict)
    assert (kept["share_judged"], kept["n_open"]) == (1.0, 0), "in steps of 25%, and to the nearest ten"
    assert "0.4875" not in str(ask(cast, "/standings"))
    assert "until_judged_low" not in exported(cast)["R1"]
    organiser.force_login(cast.organiser)
    assert "0.4875/0.5000" in row_of(look(cast, "leaderboard", by=organiser), "R1")
    assert "0.4875 if it is won" in look(cast, "run", "R1", by=organiser)

    assert "first answers" in text_of(look(cast, "label_versions"))
    Campaign.objects.filter(pk=challenged.pk).update(state=CampaignState.CLOSED)
    for page in (look(cast, "leaderboard"), look(cast, "label_versions"), look(cast, "run", "R1")):
        assert "first answers" not in text_of(page)
    assert ask(cast)["upkeep"] is None


def test_nearly_all_are_not_all() -> None:
    """Of ten runs on 240 queries, one first answer of 2,400: 99.96%."""
    told = BoardUpkeep(share_judged=2399 / 2400, n_open=1, is_exact=True, version=2, since=None)
    assert told.sentence.startswith(
        "More than 99% of the first answers of all runs are judged; 1 challenges these labels"
    )
