"""What organisers want people to read: guidelines, consent, worked examples and the pair to try, each in versions."""

from __future__ import annotations

from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from tests.web.cast import Cast
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign

from toprung.web.core.models.campaigns import CampaignDesign
from toprung.web.core.models.judging import Campaign
from toprung.web.services.judging.examples import CONSENT, EXAMPLES, GUIDELINES

OWN = {
    "first": ("wie lang ist der Rhein", "Etwa 1.230 km.", "Der Rhein fließt durch Köln.", "left", "Links die Länge."),
    "second": ("was ist ein Kolk", "Ein Vogel?", "Eine Vertiefung im Fluss.", "right", "Rechts steht, was es ist."),
    "trial": ("wann laicht der Lachs", "Der Lachs ist ein <b>Fisch</b>.", "Im November.", "right", "Rechts, wann."),
}
PARTS = ("question", "left", "right", "better", "why")


@pytest.fixture
def campaign(cast: Cast) -> Campaign:
    made = make_campaign(cast, n_queries=30, lang="de").campaign
    CampaignDesign.objects.create(campaign=made)
    return made


def fields(guidelines: str = GUIDELINES, consent: str = CONSENT, **examples: tuple[str, ...]) -> dict[str, str]:
    """What the page would send; lines end as a browser ends them."""
    read = zip(OWN, EXAMPLES, strict=True)
    told = {name: tuple(getattr(each, part) for part in PARTS) for name, each in read} | examples
    sent = {"guidelines": guidelines.replace("\n", "\r\n"), "consent": consent.replace("\n", "\r\n")}
    for name, each in told.items():
        sent |= {f"{name}-{part}": text for part, text in zip(PARTS, each, strict=True)}
    return sent


def save(cast: Cast, campaign: Campaign, **said: object) -> HttpResponse:
    client = Client()
    client.force_login(cast.organiser)
    response = client.post(reverse("campaign_texts", args=[cast.board.slug, campaign.slug]), fields(**said))  # type: ignore[arg-type]  # tuples and texts
    campaign.refresh_from_db()
    return response


def test_what_people_read_stands_in_the_fields_and_saved_so_nothing_changes(cast: Cast, campaign: Campaign) -> None:
    client = Client()
    client.force_login(cast.organiser)
    page = unescape(client.get(reverse("campaign_texts", args=[cast.board.slug, campaign.slug])).text)
    for text in (CONSENT.strip(), GUIDELINES.strip(), EXAMPLES[0].left, EXAMPLES[-1].question):
        assert text in page, text
    n_audit = cast.board.audit.count()
    assert save(cast, campaign).status_code == 302
    assert (campaign.consent, campaign.guidelines, campaign.examples) == ("", "", [])
    assert (campaign.consent_version, campaign.guidelines_version, cast.board.audit.count()) == (1, 1, n_audit)


def test_examples_of_ones_own_are_read_before_the_next_pair_by_who_is_judging(cast: Cast, campaign: Campaign) -> None:
    walker = Walker(campaign)
    walker.choose("left", walker.begin())
    save(cast, campaign, **OWN)
    assert (campaign.consent_version, campaign.guidelines_version) == (1, 2)
    assert cast.board.audit.latest("pk").what == "Changed the texts of best-answers"
    page = walker.get()
    assert 'lang="de">wie lang ist der Rhein' in page.text
    assert "Der Lachs ist ein &lt;b&gt;Fisch&lt;/b&gt;." in page.text
    assert EXAMPLES[0].question not in page.text
    tried = walker.client.post(walker.home + "guidelines/", {"choice": "right"}, follow=True).text
    assert "Yes, that one." in tried
    assert "Rechts, wann." in tried
    assert "2 of 13" in walker.get("pairs/").text, "and the task goes on"
    save(cast, campaign, **OWN, consent="Ours.\nAll of it.")
    assert (campaign.consent, campaign.consent_version, campaign.guidelines_version) == ("Ours.\nAll of it.", 2, 2)
    save(cast, campaign)
    assert (campaign.consent, campaign.examples, campaign.consent_version) == ("", [], 3), "back to what is proposed"


@pytest.mark.parametrize(
    ("trial", "says"),
    [
        (("what is it", "One and  the same.", "One and the same.", "left", "It says so."), "the same passage twice"),
        (("", "One.", "Another.", "left", "It says so."), "Found nothing; expected"),
        (("what is it", "One.", "Another.", "both", "It says so."), "expected another choice"),
    ],
    ids=["twice", "no question", "no side"],
)
def test_an_example_that_teaches_nothing_is_refused(
    cast: Cast, campaign: Campaign, trial: tuple[str, ...], says: str
) -> None:
    refused = save(cast, campaign, trial=trial, consent="Another text.")
    assert (refused.status_code, says in unescape(refused.text)) == (422, True)
    assert (campaign.consent, campaign.examples, campaign.guidelines_version) == ("", [], 1), "nothing half stored"
