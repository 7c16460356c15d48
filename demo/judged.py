"""Does the campaign of the demo show what it is there for? Half judged, two careless, labels to review, a way in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from demo.campaign import N_CARELESS
from demo.visitor import Visitor

if TYPE_CHECKING:
    from toprung.web.core.models.judging import Campaign

FEWEST_QUESTIONS, FEWEST_ANSWERS, MOST_ANSWERS = 30, 3, 6
"""Of a campaign that is worth looking at."""


def find_missing(campaign: Campaign) -> Iterator[str]:
    """What an organiser would look for in vain."""
    from toprung.labels.pools.store import read_pools
    from toprung.web.core.store.judging_records import CampaignRecords

    sizes = [len(pool.items) for pool in read_pools(CampaignRecords(campaign))]
    n_pools = sum(FEWEST_ANSWERS <= size <= MOST_ANSWERS for size in sizes)
    if n_pools < FEWEST_QUESTIONS:
        answers = f"{FEWEST_ANSWERS} to {MOST_ANSWERS} answers"
        yield f"found {n_pools} questions with {answers}; expected {FEWEST_QUESTIONS} or more"
    told = {report.kind: report.content for report in campaign.reports.all()}
    live, rows = told.get("live", {}), told.get("quality", {}).get("rows", [])
    n_decided, n_queries = live.get("n_decided", 0), live.get("n_queries", 0)
    if not 0 < n_decided < n_queries:
        yield f"found {n_decided} of {n_queries} queries decided; expected some, and not all"
    n_marked = sum(bool(row["reason"]) for row in rows)
    if n_marked != N_CARELESS:
        yield f"found {n_marked} assessors to look at; expected {N_CARELESS}"
    if not told.get("review", {}).get("rows"):
        yield "found no new label to review; expected one or more"
    if not any(campaign.challenges.values_list("n_open", flat=True)):
        yield "found no open challenge; expected one or more"


def find_no_way_in(visitor: Visitor, campaign: Campaign) -> Iterator[str]:
    """From the link to the first pair."""
    home = f"/judge/{campaign.key}/"
    if visitor.get(home).status != 302:
        yield f"found no study behind {home}; expected that it leads to the consent"
        return
    for step, chosen in (("consent", {"agree": "1"}), ("guidelines", {"choice": "right"}), ("ready", {})):
        visitor.press(f"{home}{step}/", **chosen)
    shown = visitor.get(f"{home}pairs/")
    if shown.status != 200 or "1 of " not in shown.body:
        yield f"found no first pair behind {home}; expected one after consent, guidelines and start"
