"""How far is a campaign? Its page renews itself, and shows what a task computed: it computes nothing itself."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import NoReturn

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, work

from toprung.web.core.models.campaigns import CampaignReport
from toprung.web.core.models.judging import Campaign
from toprung.web.services.judging.campaigns.live import RENEWED_AFTER
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.web.services.judging.campaigns.start import start

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
