"""`make demo-check` says what the demo's campaign lacks of what it is there to show."""

from __future__ import annotations

import pytest
from demo.judged import find_missing
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft

from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import POOLS, add_pools
from toprung.web.core.models.campaigns import CampaignReport
from toprung.web.core.store.judging_records import CampaignRecords


@pytest.mark.django_db
def test_a_campaign_that_shows_nothing_is_at_fault_for_everything(cast: Cast) -> None:
    campaign = draft(cast)
    assert list(find_missing(campaign)) == [
        "found 0 questions with 3 to 6 answers; expected 30 or more",
        "found 0 of 0 queries decided; expected some, and not all",
        "found 0 assessors to look at; expected 2",
        "found no new label to review; expected one or more",
        "found no open challenge; expected one or more",
    ]
    look = {"rows": [{"reason": "too fast"}, {"reason": ""}, {"reason": "left"}]}
    for kind, content in (
        ("live", {"n_decided": 3, "n_queries": 3}),
        ("quality", look),
        ("review", {"rows": [{"query_id": "q01"}]}),
    ):
        CampaignReport.objects.create(campaign=campaign, kind=kind, content=content)
    store = CampaignRecords(campaign)
    store.rewrite(POOLS, lambda _: None)
    add_pools(store, [Pool(query_id=f"q{n}", items=("a", "b", "c")[: 3 if n < 30 else 2]) for n in range(40)])
    assert list(find_missing(campaign)) == [
        "found 3 of 3 queries decided; expected some, and not all",
        "found no open challenge; expected one or more",
    ]
