"""What is decided is published by itself: nobody opens a page, and no task is started but by what people and clocks do.

One challenge is open under best of three: two careful people judge it on the pages, and the next version is there.
"""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, give_texts, send
from tests.web.judging.reading import come, judge_task
from tests.web.versions import ANSWERS, publish_labels

from toprung.web.core.models.campaigns import CampaignDesign, OpenChallenge, PublishBy
from toprung.web.core.models.judging import Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.queue import challenge_labels, enqueue_once, keep_house
from toprung.web.core.store.columns import labels_of, official_labels
from toprung.web.core.store.plan import BoardRefusedError
from toprung.web.services.judging.campaigns import upkeep
from toprung.web.services.judging.campaigns.labels_out import export_labels
from toprung.web.services.judging.campaigns.new_labels import NewLabels
from toprung.web.services.judging.campaigns.publish import publish_labels as publish_labels_of
from toprung.web.services.judging.campaigns.review import compute_review, new_labels_of
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.campaigns.upkeep import publish_if_due

BETTER = "This one says in full how q01 is answered, and why."


@pytest.fixture
def challenged(cast: Cast) -> Campaign:
    campaign = draft(
        cast,
        design={"publish_by": PublishBy.CHANGES, "publish_changes": 1, "at_least": 0.99},
        is_standing=True,
        access=CampaignAccess.OPEN,
        shows_hidden_to_strangers=True,
    )
    start(campaign, by=cast.organiser)
    give_texts(cast.board, cast, {"better-q01": BETTER})
    send(cast, lambda query: ("better-q01" if query == "q01" else f"rel-{query}", f"x-{query}"))
    run_tasks(raise_failures=True)
    assert OpenChallenge.objects.get(submission__run_id="R2").n_open == 1
    return campaign


def judge(campaign: Campaign, n_people: int) -> None:
    for _ in range(n_people):
        assert judge_task(come(campaign), better=[BETTER])


def settle_all(cast: Cast) -> None:
    Submission.objects.filter(board=cast.board, settled_at=None).update(settled_at=timezone.now())


def has_won(cast: Cast) -> bool:
    labels = official_labels(cast.board)
    return labels.version == 2 and labels_of(labels).to_dict()["q01"] == {"better-q01": 1}


@pytest.mark.django_db
def test_the_vote_that_decides_makes_the_next_version_when_it_is_handed_in(cast: Cast, challenged: Campaign) -> None:
    judge(challenged, 2)
    run_tasks(raise_failures=True)
    assert OpenChallenge.objects.get(submission__run_id="R2").n_open == 0, "two of three are for it"
    assert has_won(cast)


@pytest.mark.django_db
def test_graded_labels_are_not_published_at_the_price_of_judgments(
    cast: Cast, challenged: Campaign, tmp_path: Path
) -> None:
    """The best answer of q01 has grade 1, as that of every query; beside each a document is judged not relevant."""
    publish_labels(cast, tmp_path, {query: docs | {f"poor-{query}": 0} for query, docs in ANSWERS.items()})
    run_tasks(raise_failures=True)
    judge(challenged, 2)
    run_tasks(raise_failures=True)
    assert new_labels_of(challenged).changed == ["q01"], "the challenge is won"
    assert official_labels(cast.board).version == 2
    with pytest.raises(BoardRefusedError, match=r"leave out 2 of the 80 judged documents of official v2 \(query q01\)"):
        publish_labels_of(challenged, changes="One answer.", by=cast.organiser)
    assert official_labels(cast.board).version == 2

    compute_review(challenged.pk)
    client = Client()
    client.force_login(cast.organiser)
    page = client.get(reverse("review_labels", args=[cast.board.slug, challenged.slug])).content.decode()
    assert "It would leave out 2 of the 80 judged documents (query q01)." in page
    assert "Publish v3" not in page
    with zipfile.ZipFile(io.BytesIO(export_labels(challenged, by=cast.organiser).content)) as packed:
        assert {name.partition("/")[2] for name in packed.namelist()} == {
            "decided.qrels",
            "decided.qrels.manifest.json",
        }


@pytest.mark.django_db
def test_a_challenge_is_open_again_once_a_vote_on_it_was_deleted(cast: Cast, challenged: Campaign) -> None:
    CampaignDesign.objects.filter(campaign=challenged).update(publish_by=PublishBy.ORGANISER)
    judge(challenged, 1)
    other = come(challenged)
    judge_task(other, better=[BETTER])
    run_tasks(raise_failures=True)
    assert OpenChallenge.objects.get(submission__run_id="R2").n_open == 0
    other.post("delete/")
    run_tasks(raise_failures=True)
    assert OpenChallenge.objects.get(submission__run_id="R2").n_open == 1


@pytest.mark.django_db
def test_what_a_claim_held_back_is_published_when_it_is_settled(cast: Cast, challenged: Campaign) -> None:
    Submission.objects.filter(run_id="R2").update(settled_at=None)
    judge(challenged, 2)
    run_tasks(raise_failures=True)
    assert official_labels(cast.board).version == 1, "a claim is being tested"
    settle_all(cast)
    enqueue_once(challenge_labels, cast.board.pk)  # as settling does
    run_tasks(raise_failures=True)
    assert has_won(cast)


@pytest.mark.django_db
def test_a_week_ends_without_anyone_coming(cast: Cast, challenged: Campaign) -> None:
    CampaignDesign.objects.filter(campaign=challenged).update(publish_by=PublishBy.WEEKLY)
    judge(challenged, 2)
    run_tasks(raise_failures=True)
    assert official_labels(cast.board).version == 1, "its labels are of today"
    LabelSet.objects.filter(board=cast.board, use=LabelUse.OFFICIAL).update(
        current_since=timezone.now() - timedelta(days=8)
    )
    keep_house.enqueue()
    run_tasks(raise_failures=True)
    assert has_won(cast)


@pytest.mark.django_db
def test_a_campaign_that_is_closed_publishes_nothing_by_itself(cast: Cast, challenged: Campaign) -> None:
    judge(challenged, 2)
    Campaign.objects.filter(pk=challenged.pk).update(state=CampaignState.CLOSED)
    keep_house.enqueue()
    run_tasks(raise_failures=True)
    assert official_labels(cast.board).version == 1


@pytest.mark.django_db
def test_a_run_that_comes_while_the_labels_are_computed_holds_them_back(
    cast: Cast, challenged: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(challenged, 2)
    compute = upkeep.new_labels_of

    def compute_slowly(campaign: Campaign) -> NewLabels:
        found = compute(campaign)
        assert found.changed == ["q01"]
        Submission.objects.filter(run_id="R2").update(state=RunState.QUEUED, settled_at=None)
        return found

    monkeypatch.setattr(upkeep, "new_labels_of", compute_slowly)
    campaign = Campaign.objects.get(pk=challenged.pk)
    assert not publish_if_due(campaign)
    assert cast.board.label_sets.filter(use=LabelUse.OFFICIAL).count() == 1
    monkeypatch.undo()
    Submission.objects.filter(run_id="R2").update(state=RunState.DONE)
    settle_all(cast)
    assert publish_if_due(campaign)
