"""What an organiser chooses before anyone is paid: which queries, what an hour earns, how challenges are decided."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from tests.web.cast import OFFICIAL, Cast
from tests.web.judging.campaigns import CHOSEN, draft, give_texts, work
from tests.web.runs import settled

from toprung.labels.best.replacement import RULES, find_rule
from toprung.labels.best.upkeep import rule_in
from toprung.web.core.models.campaigns import CampaignReport, PublishBy, WhichQueries
from toprung.web.core.models.judging import Campaign, CampaignAccess, CampaignState, Ending
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.estimate import estimate
from toprung.web.services.judging.campaigns.material import REVIEW
from toprung.web.services.judging.campaigns.plan import CampaignChoices, CampaignRefusedError, create_campaign
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.campaigns.upkeep import publish_if_due
from toprung.web.services.judging.privacy import votes_stay
from toprung.web.services.judging.seats import take_seat
from toprung.web.site.campaign.forms import CampaignForm


@pytest.fixture
def board_with_texts(cast: Cast) -> Cast:
    """Two runs: one finds every answer at rank 2, the other at rank 4."""
    settled(cast, "first", 2)
    settled(cast, "second", 4)
    give_texts(cast.board, cast)
    return cast


def estimated(cast: Cast, *, design: dict[str, Any], **campaign: Any) -> tuple[Campaign, dict[str, Any]]:
    labels = cast.board.label_sets.get(use=LabelUse.OFFICIAL, is_current=True)
    choices = CampaignChoices(
        label_set=labels, campaign={**CHOSEN, **campaign}, design={"platform": "own", "seed": 7, **design}
    )
    made = create_campaign(cast.board, choices, by=cast.organiser)
    estimate(made.pk)
    content: dict[str, Any] = made.reports.get(kind="estimate").content
    return made, content


@pytest.mark.django_db
def test_some_queries_at_random_say_whether_runs_stand_in_the_same_order(board_with_texts: Cast) -> None:
    _, found = estimated(board_with_texts, design={"queries": WhichQueries.SAMPLE, "n_sample": 12})
    assert found["n_queries"] == 12
    assert found["said"] == "On the 12 sampled queries the 2 runs stand in the same order by RR@100 as on all 40."


@pytest.mark.django_db
def test_queries_that_an_earlier_campaign_left_in_doubt(board_with_texts: Cast) -> None:
    doubtful = {"queries": WhichQueries.DOUBTFUL, "target": 0.8}
    earlier, none = estimated(board_with_texts, design=doubtful)
    assert none["fault"].startswith("Found no earlier campaign on this board; expected one that left queries in doubt")
    p_best = dict.fromkeys(OFFICIAL, 0.95) | {"q03": 0.79, "q05": 0.5, "q07": 0.8}
    CampaignReport.objects.create(campaign=earlier, kind=REVIEW, content={"p_best": p_best})
    _, found = estimated(board_with_texts, design=doubtful, title="Once more")
    assert found["n_queries"] == 2, "below .8 are q03 and q05"


@pytest.mark.django_db
def test_pay_below_the_minimum_of_the_platform_is_warned_of(board_with_texts: Cast) -> None:
    """Eight minutes at $0.80 are $6.00 an hour; Prolific asks for $8.00."""
    made, found = estimated(board_with_texts, design={"platform": "prolific"}, reward=Decimal("0.80"))
    assert (found["hourly"], found["least_hourly"], found["is_underpaid"]) == ("6.00", "8.00", True)
    client = Client()
    client.force_login(board_with_texts.organiser)
    page = client.get(reverse("campaign", args=[board_with_texts.board.slug, made.slug])).text
    assert "At 8 minutes a task an hour earns $6.00" in " ".join(page.split())


@pytest.mark.django_db
@pytest.mark.parametrize("n_golds", [0, 1, 13, 20])
@pytest.mark.parametrize("reward", ["2.00", "0.00"])
def test_an_hour_and_the_hours_are_told_by_the_minutes_of_a_task(
    board_with_texts: Cast, n_golds: int, reward: str
) -> None:
    """Eight minutes at $2.00 are $15.00 an hour, and twenty tasks 2.7 hours, however many test pairs a task has."""
    design = {"platform": "prolific", "golds_per_task": n_golds}
    _, found = estimated(board_with_texts, design=design, reward=Decimal(reward))
    assert found["hourly"] == ("15.00" if float(reward) else "0.00")
    n_tasks = [-(-row["judgments"] // 10) for row in found["rows"]]
    assert [row["hours"] for row in found["rows"]] == [round(n * 8 / 60, 1) for n in n_tasks]
    assert max(n_tasks) > 1


@pytest.mark.django_db
@pytest.mark.parametrize("given", ["", "ten", "-1", "1e99", "0.12345", "x" * 20_001])
def test_whatever_is_wrong_is_said_as_found_and_expected_where_it_stands(cast: Cast, given: str) -> None:
    client = Client()
    client.force_login(cast.organiser)
    here = reverse("new_campaign", args=[cast.board.slug])
    names = re.findall(r'name="(\w+)"', client.get(here).text.partition('<form class="form camp-form"')[2])
    names = [name for name in dict.fromkeys(names) if name != "csrfmiddlewaretoken"]
    refused = client.post(here, dict.fromkeys(names, given))
    assert refused.status_code == 422
    said = [unescape(each) for each in re.findall(r'<p class="fault"[^>]*>(.*?)</p>', refused.text)]
    assert len(said) > 10
    assert [each for each in said if not re.fullmatch(r"Found .*; expected .+\.", each, re.DOTALL)] == []
    assert "<details>" not in refused.text.partition('<form class="form camp-form"')[2], "nothing wrong is folded away"
    assert not cast.board.campaigns.exists()


@pytest.mark.django_db
def test_a_study_of_prolific_is_made_with_the_link_of_the_draft_and_starts_with_its_id_and_code(cast: Cast) -> None:
    campaign = draft(cast, access=CampaignAccess.PROLIFIC)
    client = Client()
    client.force_login(cast.organiser)
    here = reverse("campaign", args=[cast.board.slug, campaign.slug])
    words = "&".join(f"{word}={{{{%{word}%}}}}" for word in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"))
    link = f"http://testserver/judge/{campaign.key}/?{words}"
    for fields, missing in (
        ({}, "Found no study id; expected that of the study at Prolific"),
        ({"study_id": "5" * 24}, "Found no code for work that is handed in"),
    ):
        Campaign.objects.filter(pk=campaign.pk).update(**fields)
        page = unescape(client.get(here).text)
        assert (f">{link}</code>" in page, f"Before it can start: {missing}" in page) == (True, True)
        with pytest.raises(CampaignRefusedError, match=missing):
            start(campaign, by=cast.organiser)
    Campaign.objects.filter(pk=campaign.pk).update(codes={Ending.COMPLETE: "C0DE1"})
    assert "Before it can start" not in client.get(here).text
    assert start(campaign, by=cast.organiser).state == CampaignState.RUNNING
    assert f">{link}</code>" in unescape(client.get(here).text), "to be copied as it is"


@pytest.mark.django_db
def test_hidden_texts_for_strangers_want_a_word_before_anything_begins(cast: Cast) -> None:
    """Else everyone who came by the link would be turned away, with the pilot running."""
    cast.board.label_sets.update(is_hidden=True)
    client = Client()
    client.force_login(cast.organiser)
    sets = cast.board.label_sets.filter(use=LabelUse.OFFICIAL)
    proposed = {name: field.initial for name, field in CampaignForm(sets, []).fields.items() if field.initial}
    said = proposed | {"label_set": sets.get().pk, "challenge_rule": "best-of-3", "publish_by": PublishBy.ORGANISER}
    page = reverse("new_campaign", args=[cast.board.slug])
    for access in (CampaignAccess.OPEN, CampaignAccess.PROLIFIC):
        refused = client.post(page, said | {"access": access})
        assert refused.status_code == 422
        assert "expected your word that they are shown texts of hidden queries" in refused.text
    assert not Campaign.objects.exists()
    for number, more in enumerate(({"access": "invited"}, {"access": "open", "shows_hidden_to_strangers": "on"})):
        assert client.post(page, said | more).status_code == 302
        assert Campaign.objects.count() == number + 1


@pytest.mark.django_db
def test_what_became_hidden_since_it_was_drafted_does_not_begin_for_strangers(cast: Cast) -> None:
    campaign = draft(cast, access=CampaignAccess.OPEN)
    cast.board.label_sets.update(is_hidden=True)
    with pytest.raises(CampaignRefusedError, match="Found hidden labels, and people without an account who judge"):
        start(campaign, by=cast.organiser)


@pytest.mark.django_db
@pytest.mark.parametrize("rule", RULES)
def test_the_rule_that_was_chosen_decides_challenges(cast: Cast, rule: str) -> None:
    made, _ = estimated(cast, design={"challenge_rule": rule})
    assert rule_in(CampaignRecords(made)) is find_rule(rule)


@pytest.mark.django_db
def test_once_a_week_what_is_decided_becomes_the_next_version(cast: Cast) -> None:
    campaign = draft(cast, design={"at_least": 0.5, "publish_by": PublishBy.WEEKLY}, is_standing=True)
    start(campaign, by=cast.organiser)
    assert not publish_if_due(campaign), "these labels are of today"
    current = LabelSet.objects.filter(board=cast.board, use=LabelUse.OFFICIAL)
    current.update(current_since=timezone.now() - timedelta(days=8))
    assert not publish_if_due(campaign), "a week has passed, and nothing is decided"
    work(campaign, "someone")
    assert not votes_stay(take_seat(campaign, "someone"))
    current.update(current_since=timezone.now() - timedelta(days=6))
    assert not publish_if_due(campaign)
    current.update(current_since=timezone.now() - timedelta(days=8))
    assert publish_if_due(campaign)
    assert cast.board.label_sets.get(use=LabelUse.OFFICIAL, version=2).origin.campaign == campaign
    assert votes_stay(take_seat(campaign, "someone"))
    assert work(campaign, "someone later") is not None
    assert not votes_stay(take_seat(campaign, "someone later"))
