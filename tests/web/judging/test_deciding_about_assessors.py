"""What an organiser sees of each assessor, with intervals and n, and does about one: each with a reason, on record."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, judge_all, work
from tests.web.judging.walking import Walker

from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.judging import Campaign, CampaignAccess, Ending, JudgingNote
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging import refusals
from toprung.web.services.judging.campaigns.live import watch
from toprung.web.services.judging.campaigns.start import start

REASON = "Nothing was read, as the times tell."
SHARE = r"[01]\.\d\d \(0\.\d\d to [01]\.\d\d\), n \d+"


@pytest.fixture
def campaign(cast: Cast) -> Campaign:
    """The first to come took the left side in 900 ms each; five others read."""
    made = start(draft(cast), by=cast.organiser)
    for _ in range(3):
        work(made, "careless", is_careless=True, ms=900)
    judge_all(made, most=10)
    watch(made.pk)
    return made


def ask(cast: Cast, campaign: Campaign, **said: str) -> str:
    """The page of assessors, after something was done about the first of them."""
    client = Client()
    client.force_login(cast.organiser)
    here = [cast.board.slug, campaign.slug]
    if said:
        client.post(reverse("act_on_assessor", args=[*here, "a-01"]), said)
    return " ".join(client.get(reverse("campaign_assessors", args=here)).text.split())


@pytest.mark.django_db
def test_each_has_figures_with_intervals_and_n_and_reasons_are_in_words(cast: Cast, campaign: Campaign) -> None:
    page = ask(cast, campaign)
    first = page[page.index('<span class="mono">a-01</span>') :].partition("</details>")[0]
    for heading in ("Left side", "Under two seconds"):
        assert re.search(rf"<dt>{heading}</dt> <dd> {SHARE} </dd>", first), heading
    for heading in ("Longest run of one side", "Skips"):
        assert re.search(rf"<dt>{heading}</dt> <dd>\d+</dd>", first), heading
    assert re.search(r"<dt>Test pairs right</dt> <dd>9 of 9</dd>", first)
    alpha = r"−?\d\.\d\d"
    assert re.search(rf"<dt>Krippendorff’s α</dt> <dd>{alpha} \({alpha} to {alpha}\), n \d+</dd>", first)
    row = page[page.index('<th scope="row" class="mono">a-01</th>') :].partition("</tr>")[0]
    assert len(re.findall(r"0\.\d\d <span class=\"sub\">0\.\d\d to [01]\.\d\d, n \d+</span>", row)) == 2, row
    assert '<td class="num">39</td>' in row, "three tasks of thirteen"
    assert "0.9 s" in row
    assert re.search(r"! look: [a-z].* \d+ of \d+", row), "under two seconds, or the left side: so many of so many"
    assert page.count("! look") == 1


def use_of_first(cast: Cast, campaign: Campaign) -> str:
    """What the page says, once a task has looked."""
    watch(campaign.pk)
    row = ask(cast, campaign).partition('<th scope="row" class="mono">a-01</th>')[2].partition("</tr>")[0]
    return re.findall(r'<span class="chip">([^<]+)</span>', row)[-1]


@pytest.mark.django_db
def test_of_whom_nothing_is_known_nothing_is_shown(cast: Cast) -> None:
    """Nobody else judged the pairs, and no time came with the answers, as from a folder."""
    campaign = start(draft(cast), by=cast.organiser)
    work(campaign, "alone")
    CampaignRecords(campaign).rewrite("judgments", lambda each: {**each, "ms": None})
    watch(campaign.pk)
    page = ask(cast, campaign)
    assert '– <span class="sub">nobody else judged these pairs</span>' in page
    for heading in ("Under two seconds", "Krippendorff’s α"):
        assert re.search(rf"<dt>{heading}</dt> <dd>\s*–\s*</dd>", page), heading
    assert "n 0" not in page
    assert '<circle class="camp-dot"' not in page, "nor drawn"


@pytest.mark.django_db
def test_they_are_blocked_let_in_again_noted_excluded_and_restored(cast: Cast, campaign: Campaign) -> None:
    assert '<span class="chip">blocked</span>' in ask(cast, campaign, act="block", reason=REASON)
    assert campaign.seats.get(assessor="careless").block_reason == REASON
    assert '<span class="chip">blocked</span>' not in ask(
        cast, campaign, act="unblock", reason="They read from now on."
    )
    assert campaign.seats.get(assessor="careless").blocked_at is None
    assert "Asked them by mail &lt;b&gt;." in ask(cast, campaign, act="note", reason="Asked them by mail <b>.")
    assert "Out of use now: 3 tasks of a-01, paid all the same." in ask(cast, campaign, act="exclude", reason=REASON)
    assert use_of_first(cast, campaign) == "out of use"
    again = ask(cast, campaign, act="exclude", reason=REASON)
    assert "Found no task of a-01 that is in use; nothing was changed." in again
    work(campaign, "careless", ms=9_000)
    assert use_of_first(cast, campaign) == "1 of 4 tasks in use"
    said = ask(cast, campaign, act="restore", reason="They were right.")
    assert "In use again: 39 answers of a-01." in said
    assert use_of_first(cast, campaign) == "in use"
    whats = [entry.what for entry in cast.board.audit.all()]
    for words in (
        "Blocked a-01",
        "Unblocked a-01",
        "Took 3 tasks of a-01",
        "Put 39 answers of a-01",
        "Wrote a note about",
    ):
        assert any(what.startswith(words) for what in whats), words
    assert not any("by mail" in str(entry.details) for entry in cast.board.audit.all()), (
        "a note is gone with its assessor"
    )


@pytest.mark.django_db
def test_whoever_misses_every_test_pair_is_blocked_by_organisers_alone(cast: Cast) -> None:
    """Three of three would block at a desk without an organiser; here it is a reason to look."""
    campaign = start(draft(cast, access=CampaignAccess.OPEN), by=cast.organiser)
    walker = Walker(campaign)
    walker.begin()
    [task] = Sitting(CampaignRecords(campaign)).tasks.values()
    for number, slot in enumerate(task.slots):
        choice = "right" if slot.good == slot.left else "left"
        said = {"assignment": walker.visit().assignment_id, "slot": number, "choice": choice, "ms": "9000"}
        assert walker.send(**said).status_code == 200
    walker.post("hand-in/")
    assert walker.visit().ended == Ending.FAILED_CHECKS
    watch(campaign.pk)
    page = ask(cast, campaign)
    assert ("! look" in page, "<dd>0 of 3</dd>" in page) == (True, True)
    assert '<span class="chip">blocked</span>' not in page
    assert "13 pairs" in walker.post("more/").text, "there is work, and they get it"
    ask(cast, campaign, act="block", reason=REASON)
    assert refusals.BLOCKED in walker.get("ready/").text
    ask(cast, campaign, act="unblock", reason="They wrote that they had misread it.")
    assert "13 pairs" in walker.get("ready/").text


@pytest.mark.django_db
def test_without_a_reason_or_of_nobody_nothing_is_done(cast: Cast, campaign: Campaign) -> None:
    n_before = cast.board.audit.count()
    for said in ({"act": "exclude", "reason": "no"}, {"act": "block"}, {"act": "fine", "reason": REASON}):
        assert 'class="note alert' in ask(cast, campaign, **said), said
    client = Client()
    client.force_login(cast.organiser)
    page = client.post(
        reverse("act_on_assessor", args=[cast.board.slug, campaign.slug, "a-99"]),
        {"act": "block", "reason": REASON},
        follow=True,
    )
    assert "Found no assessor" in page.text
    assert (cast.board.audit.count(), JudgingNote.objects.count()) == (n_before, 0)
    assert not campaign.seats.exclude(blocked_at=None).exists()
