"""What would new labels change? The review says it run by run and query by query, before anyone publishes.

Four runs each put an answer that nobody else found first, on 4, 3, 2 and 1 of ten queries; there it is best in truth,
and they have the label of today second. On the others of these ten they have neither. ``steady`` has the label of today
first on three of the ten. All five have the label first on the thirty other queries; ``first`` has it second on all.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import OFFICIAL, Cast
from tests.web.judging.campaigns import draft, send, work

from toprung.web.core.models.boards import Board
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.reported_labels import ReportedLabel
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.review import compute_review, new_labels_of
from toprung.web.services.judging.campaigns.start import start

BLOCKS = {"four": OFFICIAL[:4], "three": OFFICIAL[4:7], "two": OFFICIAL[7:9], "one": OFFICIAL[9:10]}
CHANGED = OFFICIAL[:10]
OWN = {query: f"own-{query}" for query in CHANGED}
SPLIT = OFFICIAL[-1]
"""Every second vote is for the other answer."""
N_PEOPLE = 6


def answers_of(name: str, query: str) -> tuple[str, str]:
    if query in BLOCKS.get(name, ()):
        return OWN[query], f"rel-{query}"
    has_label = query not in CHANGED or (name == "steady" and query in CHANGED[:3])
    return f"rel-{query}" if has_label else f"other-{query}-1", f"{name}-{query}"


def judged_campaign(cast: Cast) -> Campaign:
    Board.objects.filter(pk=cast.board.pk).update(quota=9)
    for name in (*BLOCKS, "steady"):
        send(cast, lambda query, name=name: answers_of(name, query), name=name)
    texts = {doc: f"Only {doc} says it in full, with the reasons and an example." for doc in OWN.values()}
    campaign = start(draft(cast, texts=texts), by=cast.organiser)
    n_split = 0
    for number in range(60):
        split = f"other-{SPLIT}-1" if n_split % 2 else f"rel-{SPLIT}"
        done = work(campaign, f"careful-{number % N_PEOPLE}", better=[*OWN.values(), split])
        n_split += done is not None and is_asked(campaign, done.task_id)
    return Campaign.objects.get(pk=campaign.pk)


def is_asked(campaign: Campaign, task_id: str) -> bool:
    """Whether a task asks about the query that people are split on."""
    tasks = {each["task_id"]: each["slots"] for each in CampaignRecords(campaign).read("tasks")}
    return any(slot["query_id"] == SPLIT and not slot.get("good") for slot in tasks[task_id])


def on_page(client: Client, campaign: Campaign, **query: str) -> str:
    page = client.get(reverse("review_labels", args=[campaign.board.slug, campaign.slug]), query)
    assert page.status_code == 200
    return " ".join(page.text.split())


@pytest.mark.django_db
def test_a_review_says_which_runs_move_which_queries_do_not_and_takes_refusals(cast: Cast) -> None:
    campaign = judged_campaign(cast)
    compute_review(campaign.pk)
    told = campaign.reports.get(kind="review").content
    assert [row["query_id"] for row in told["rows"]] == CHANGED

    # of 40 queries: the label second, then first, on so many; steady had it on three; first had it second on ten
    gains = {"four": 4 * 0.5, "three": 3 * 0.5, "two": 2 * 0.5, "one": 0.5, "steady": -3, "first": -10 * 0.5}
    moved = {row["name"]: row["after"] - row["before"] for row in told["runs"]}
    assert moved == pytest.approx({name: gain / 40 for name, gain in gains.items()})
    # steady was first of six, and is behind four of them: (11 - 4) / 15
    assert told["tau"] == pytest.approx(7 / 15)
    assert told["perfect"] == [1, pytest.approx(30 / 40)]

    # of 39 that are decided 29 are as before; of its own queries only those count that are decided without them, too
    gained_most = {"R1": 4, "R2": 3, "R3": 2}
    assert {row["run"]: row["n_items"] for row in told["left_out"]} == gained_most, "of four that gain, three"
    for row in told["left_out"]:
        n_both = 29 + 10 - row["n_items"] + row["n_labels"]
        found = (row["score"], row["without"])
        assert found == pytest.approx(((29 + row["n_labels"]) / n_both, 29 / n_both)), row

    client = Client()
    client.force_login(cast.organiser)
    page = on_page(client, campaign)
    assert "τ 0.47 between v1 and v2" in page
    assert "The ranking that was perfect has RR@100 0.7500 under the new labels" in page
    for name, n_items in {"four": 4, "three": 3, "two": 2}.items():
        assert f"Without the {n_items} answers that only {name} found, its score" in page

    assert told["kept_old"] == [SPLIT]
    assert new_labels_of(campaign).qrels.to_dict()[SPLIT] == {f"rel-{SPLIT}": 1}
    kept = on_page(client, campaign, show="kept")
    assert f"What is known of {SPLIT}?" in kept
    assert ("P(best) <b>0.50</b>" in kept, "What is known of q01?" in kept, 'id="publish"' in kept) == (
        True,
        False,
        True,
    )

    told["rows"][1]["is_cycle"] = True
    campaign.reports.filter(kind="review").update(content=told)
    ReportedLabel.objects.create(board=cast.board, user=cast.stranger, query_id="q03", why="It is about another thing.")
    ReportedLabel.objects.create(board=cast.board, user=cast.stranger, query_id=SPLIT, why="It is about another thing.")
    for show, query in (("cycles", "q02"), ("reported", "q03")):
        page = on_page(client, campaign, show=show)
        assert re.findall(r"What is known of (\w+)\?", page) == [query]
        assert re.search(rf'href="\?show={show}" aria-current="true">[A-Z][a-z ]+ 1</a>', page)

    refuse = reverse("judge_label", args=[cast.board.slug, campaign.slug])
    for query_id, reason, says in (
        ("q01", "short", "expected from 10 to 1,000"),
        ("q99", "The old one answers it as well.", "Found no such query"),
    ):
        assert says in client.post(refuse, {"query_id": query_id, "reason": reason}, follow=True).text
        assert not campaign.refused_labels.exists()
    client.post(refuse, {"query_id": "q01", "reason": "The old one answers it as well."})
    run_tasks(raise_failures=True)
    page = on_page(client, campaign)
    assert "9 queries get another best answer" in page
    assert 'What is known of q01? <span class="sub">The old one answers it as well.</span>' in page
    client.post(refuse, {"query_id": "q01", "act": "accept"})
    assert new_labels_of(campaign).changed == CHANGED
