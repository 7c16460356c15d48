"""How far is a campaign? Its page renews itself, and shows what a task computed: it computes nothing itself."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import NoReturn

import pytest
from django.db import connection
from django.template.defaultfilters import floatformat
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, work

from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.campaigns import CampaignReport
from toprung.web.core.models.judging import AssessorSeat, Campaign
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.live import RENEWED_AFTER, watch
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.money import note_pay

JUDGMENTS = re.compile(r"<dt>Judgments</dt>\s*<dd>\s*([\d,]+)")


def judgments_on(client: Client, name: str, campaign: Campaign) -> tuple[int, int]:
    """How many a page says there are, and how often it asked the database."""
    with CaptureQueriesContext(connection) as asked:
        page = client.get(reverse(name, args=[campaign.board.slug, campaign.slug]))
    assert page.status_code == 200
    found = JUDGMENTS.search(page.text)
    assert found is not None, page.text
    return int(found[1].replace(",", "")), len(asked)


def time_passes() -> None:
    CampaignReport.objects.update(computed_at=timezone.now() - RENEWED_AFTER - timedelta(seconds=1))


def compute_nothing(campaign: Campaign) -> NoReturn:
    raise AssertionError(f"a page computed how {campaign.slug} stands")


@pytest.mark.django_db
def test_money_agreement_and_the_course_to_come_stand_on_the_page(cast: Cast) -> None:
    """Twelve tasks are handed in, one is left after five pairs ($0.77), one is open: 24 + 0.77 and 2 of $32."""
    campaign = start(draft(cast, budget=Decimal("32.00"), design={"target": 0.99}), by=cast.organiser)
    for number in range(12):
        work(campaign, f"careful-{number}")
    sitting = Sitting(CampaignRecords(campaign))
    left, _ = (begin(campaign, sitting, name) for name in ("leaves", "stays"))
    note_pay(campaign, sitting, left, n_answered=5)
    sitting.move(left, AssignmentStage.EXITED)
    watch(campaign.pk)
    client = Client()
    client.force_login(cast.organiser)
    page = " ".join(client.get(reverse("campaign", args=[cast.board.slug, campaign.slug])).text.split())
    assert "<dt>Money</dt> <dd> $24.77 of $32.00 <small> $2.00 more promised; $5.23 left; $0.21 a judgment" in page
    assert "$61.54 an hour at the median pace" in page, "nine seconds a pair, 13 of them for $2.00"
    assert "<dt>Judgments</dt> <dd> 120 <small>15.6 a minute now, 12 people</small>" in page, "36 on test pairs"
    assert "Two people agree on 100% of pairs (n = " in page
    assert "Test pairs: 36 of 36 right; 0 tasks set aside" in page
    ahead = campaign.reports.get(kind="live").content["forecast"]
    assert (ahead["votes"], ahead["ends_with_money"]) == (20, True), "$5.23 are two tasks"
    bands = re.findall(r'<path class="fcband" d="(M[^"]+Z)"/>', page)
    assert len(bands) == 2, "for a desk and for a phone"
    n_points = 1 + len(ahead["points"])
    assert {len(re.findall("[ML]", band)) for band in bands} == {2 * n_points}, "there by the top, back by the foot"
    for point in ahead["points"]:
        decided, low, high = (floatformat(point[name], 0) for name in ("decided", "low", "high"))
        row = f'<td class="num">+{floatformat(point["votes"], 0)}</td> <td class="num strong">{decided}</td>'
        assert f'{row} <td class="num">{low} to {high}</td>' in page


@pytest.mark.django_db
def test_the_page_of_a_query_says_strengths_with_intervals_votes_and_who_leads(cast: Cast) -> None:
    campaign = start(draft(cast), by=cast.organiser)
    for number in range(8):
        work(campaign, f"careful-{number}")
    watch(campaign.pk)
    query_id, told = next(
        (query_id, each) for query_id, each in campaign.reports.get(kind="queries").content.items() if each["votes"]
    )
    client = Client()
    client.force_login(cast.organiser)
    page = client.get(reverse("campaign_query", args=[cast.board.slug, campaign.slug, query_id])).text
    n, sign = told["votes"], r"([+−]\d\.\d\d)"
    says = rf"P\(best\) <b>(0\.\d\d)</b> · strength {sign} \({sign} to {sign}\) · won (\d+) of {n} vote"
    first, second = re.findall(says, " ".join(page.split()))
    assert (first[0] > second[0], first[4], second[4]) == (True, str(n), "0"), "who leads stands first"
    assert (first[1][0], second[1][0]) == ("+", "−")


def begin(campaign: Campaign, sitting: Sitting[CampaignRecords], name: str) -> Assignment:
    """Work that somebody has, and has not handed in."""
    AssessorSeat.objects.create(campaign=campaign, assessor=name, number=campaign.seats.count() + 1)
    held = sitting.offer(name)
    assert held is not None
    return sitting.move(held, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)


@pytest.mark.django_db
def test_figures_are_renewed_without_reload_by_a_task_and_never_by_the_page(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = start(draft(cast), by=cast.organiser)
    run_tasks(raise_failures=True)
    client = Client()
    client.force_login(cast.organiser)
    here = reverse("campaign_news", args=[cast.board.slug, campaign.slug])
    assert f'hx-get="{here}"' in client.get(reverse("campaign", args=[cast.board.slug, campaign.slug])).text
    part = client.get(here).text
    assert ("<html" in part, f'hx-get="{here}"' in part) == (False, True), "a part of the page that asks again"

    n_asked: dict[str, set[int]] = {"campaign": set(), "campaign_news": set()}
    for n_before, name in ((0, "one"), (10, "two")):
        work(campaign, name)
        time_passes()
        with monkeypatch.context() as patch:
            patch.setattr(CampaignStanding, "read", compute_nothing)
            for page in n_asked:
                assert judgments_on(client, page, campaign)[0] == n_before, "as the task found it last"
        assert run_tasks(raise_failures=True), "the page has asked for another look"
        with monkeypatch.context() as patch:
            patch.setattr(CampaignStanding, "read", compute_nothing)
            for page, counts in n_asked.items():
                n_shown, n_queries = judgments_on(client, page, campaign)
                assert n_shown == n_before + 10, "ten pairs of a task; its three test pairs are no votes"
                counts.add(n_queries)
    assert [len(counts) for counts in n_asked.values()] == [1, 1], "as often, however many judgments there are"
    assert not run_tasks(raise_failures=True), "nothing moved since, so nothing is asked for"
