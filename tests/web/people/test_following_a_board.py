"""Following a board: its feed, mails that come once and stop with one press, what organisers announce."""

from __future__ import annotations

import dataclasses
import re
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from django_ox.models import OxTask
from pytest_django import Settings
from tests.web.cast import Cast
from tests.web.runs import settled
from tests.web.viewing import SCRIPT

from toprung.web.core.models.boards import Board
from toprung.web.core.models.following import Announcement, Follow, FollowMail, TopGroupEntry
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import find_break
from toprung.web.services.claims.void import void_claim
from toprung.web.services.following.announce import AnnouncementRefusedError, announce
from toprung.web.services.following.follow import follow, make_stop_token
from toprung.web.services.following.mail import tell_followers
from toprung.web.services.results.compute import refresh_results

ATOM = "{http://www.w3.org/2005/Atom}"
FEED, FOLLOW, ANNOUNCE = "/b/web-docs/feed.atom", "/b/web-docs/follow/", "/b/web-docs/organise/announcements/"


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def verify(user: User) -> None:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


def read_feed(client: Client | None = None) -> dict[str, ET.Element]:
    """Every entry by the end of its id."""
    response = (client or Client()).get(FEED)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    root = ET.fromstring(response.content)
    assert root.tag == f"{ATOM}feed"
    assert (
        root.findtext(f"{ATOM}id") == f"tag:localhost,{Board.objects.get(slug='web-docs').created_at:%Y-%m-%d}:web-docs"
    )
    for name in ("title", "updated", "author"):
        assert root.find(f"{ATOM}{name}") is not None
    return {each.findtext(f"{ATOM}id", "").rpartition("/")[2]: each for each in root.findall(f"{ATOM}entry")}


def title_of(entry: ET.Element) -> str:
    return entry.findtext(f"{ATOM}title", "")


@pytest.fixture
def told(cast: Cast) -> Cast:
    """Claim 1: `better` of Kestrel Lab over `first` of Norrland IR, which passes; the pages are computed."""
    settled(cast, "first", 4, team=cast.other_team, user=cast.stranger)
    settled(cast, "better", 1)
    refresh_results(cast.board.pk)
    return cast


def test_the_same_is_not_announced_twice_in_a_row(told: Cast) -> None:
    """As by a button that is pressed twice."""
    organiser, said = signed_in(told.organiser), {"headline": "Dev labels are fixed", "text": "See *about*."}
    assert organiser.post(ANNOUNCE, said).status_code == 302
    again = organiser.post(ANNOUNCE, said)
    assert again.status_code == 422
    assert "UTC once more; expected another." in again.content.decode()
    assert Announcement.objects.count() == 1
    organiser.post(f"{ANNOUNCE}{Announcement.objects.get().pk}/withdraw/")
    assert organiser.post(ANNOUNCE, said).status_code == 302, "what was withdrawn may be said again"


def test_the_feed_has_claims_the_top_group_announcements_and_dates(told: Cast) -> None:
    announce(told.board, "Dev labels are fixed", "See *about*.", by=told.organiser)
    entries = read_feed()
    assert {key.partition("-")[0] for key in entries} == {"claim", "top", "announcement", "opened"}
    assert title_of(entries["claim-1"]) == "better proved an improvement over first"
    assert "passed its level" in entries["claim-1"].findtext(f"{ATOM}summary", "")
    assert title_of(entries["top-R2"]) == "better may be best"
    assert "top-R1" not in entries
    said = next(entry for key, entry in entries.items() if key.startswith("announcement"))
    assert title_of(said) == "Dev labels are fixed"
    assert "<em>about</em>" in said.findtext(f"{ATOM}summary", "")
    for entry in entries.values():
        assert entry.find(f"{ATOM}link").attrib["href"].startswith("http://localhost:8000/b/web-docs/")  # type: ignore[union-attr]


def test_entries_keep_their_names_and_say_when_they_changed(told: Cast) -> None:
    before = read_feed()
    claim = told.board.claims.get()
    void_claim(claim, reason="The labels had leaked to the team.", by=told.organiser)
    after = read_feed()
    assert set(before) == set(after)
    assert title_of(after["claim-1"]) == "The claim of better over first was voided"
    assert after["claim-1"].findtext(f"{ATOM}updated", "") > before["claim-1"].findtext(f"{ATOM}updated", "")


def test_closing_is_told_with_the_sentence(told: Cast) -> None:
    Board.objects.filter(pk=told.board.pk).update(closes_at=timezone.now() - timedelta(days=1))
    closed = read_feed()["closed"]
    assert title_of(closed) == "The board closed"
    assert "better does best, beyond chance." in closed.findtext(f"{ATOM}summary", "")


def test_nothing_hidden_is_in_the_feed(cast: Cast) -> None:
    """An anonymous run by its label, a run that is not released not at all; also for who organises the board."""
    until = timezone.now().date() + timedelta(days=30)
    settled(cast, "first", 4, team=cast.other_team, user=cast.stranger)
    settled(cast, "vault", 1, anonymous_until=until)
    refresh_results(cast.board.pk)
    for client in (None, signed_in(cast.organiser), signed_in(cast.participant)):
        entries = read_feed(client)
        assert title_of(entries["claim-1"]) == "R2 proved an improvement over first"
        assert not any("vault" in ET.tostring(each).decode() for each in entries.values())
    cast.board.submissions.update(shown_score=None)
    assert set(read_feed()) == {"opened"}


def test_a_private_board_has_no_feed_for_who_may_not_see_it(told: Cast) -> None:
    Board.objects.filter(pk=told.board.pk).update(is_public=False)
    for path in (FEED, "/b/web-docs/badge.svg", "/b/web-docs/card.png", "/b/web-docs/runs/R2/badge.svg"):
        assert Client().get(path).status_code == 404
        assert signed_in(told.stranger).get(path).status_code == 404
        seen = signed_in(told.assessor).get(path)
        assert seen.status_code == 200
        assert seen.headers["Cache-Control"] == "no-store, private"


def test_a_script_in_an_announcement_is_text(told: Cast) -> None:
    announce(told.board, SCRIPT, SCRIPT, by=told.organiser)
    said = next(entry for key, entry in read_feed().items() if key.startswith("announcement"))
    assert title_of(said) == SCRIPT
    assert "<script" not in said.findtext(f"{ATOM}summary", "")
    assert SCRIPT not in Client().get("/b/web-docs/about/").text


def test_the_feed_can_be_kept_until_it_changes(told: Cast) -> None:
    first = Client().get(FEED)
    assert first.headers["Cache-Control"] == "public, max-age=3600"
    assert "Cookie" not in first.headers.get("Vary", "")
    assert Client().get(FEED, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    announce(told.board, "Something new", "", by=told.organiser)
    assert Client().get(FEED, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


# ---- mails ----


@pytest.mark.usefixtures("mail_server")
def test_a_follower_is_mailed_once_what_came_since(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    verify(cast.stranger)
    settled(cast, "first", 4, team=cast.other_team, user=cast.stranger)
    assert signed_in(cast.stranger).post(FOLLOW, {"how": "mail"}).status_code == 302
    settled(cast, "better", 1)
    refresh_results(cast.board.pk)
    assert OxTask.objects.filter(task_path__endswith="tell_followers").count() == 1
    for _ in range(2):
        tell_followers(cast.board.pk)
    (message,) = mailoutbox
    assert message.to == [cast.stranger.email]
    assert message.subject == "Web Docs: 2 things are new"
    assert "better proved an improvement over first\n" in message.body
    assert "better may be best\n" in message.body
    announce(cast.board, "New labels soon", "In *May*.", by=cast.organiser)
    tell_followers(cast.board.pk)
    assert [each.subject for each in mailoutbox[1:]] == ["Web Docs: New labels soon"]


@pytest.mark.usefixtures("mail_server")
def test_one_press_stops_the_mails_without_a_login(told: Cast, mailoutbox: list[EmailMessage]) -> None:
    verify(told.stranger)
    follow(told.board, told.stranger, by_mail=True)
    announce(told.board, "First of all", "", by=told.organiser)
    tell_followers(told.board.pk)
    (message,) = mailoutbox
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = re.fullmatch("<http://localhost:8000(/stop/.+/)>", message.extra_headers["List-Unsubscribe"])
    assert address is not None
    assert f"http://localhost:8000{address[1]}" in message.body
    anyone = Client(enforce_csrf_checks=True)
    assert "Stop the mails of Web Docs?" in anyone.get(address[1]).text
    assert Follow.objects.get().by_mail  # opening a link changes nothing
    assert anyone.post(address[1], {"List-Unsubscribe": "One-Click"}).status_code == 200
    announce(told.board, "Second of all", "", by=told.organiser)
    tell_followers(told.board.pk)
    assert len(mailoutbox) == 1
    assert anyone.post("/stop/1:forged/").status_code == 404
    assert anyone.post(f"/stop/{make_stop_token(Follow.objects.get())}x/").status_code == 404


@pytest.mark.usefixtures("mail_server")
def test_nobody_is_mailed_who_should_not_be(told: Cast, mailoutbox: list[EmailMessage], settings: Settings) -> None:
    """Not at an unverified address, not without a right to see it, not what came before, not without a server."""
    for user in (told.stranger, told.mate):
        follow(told.board, user, by_mail=True)
    verify(told.mate)
    tell_followers(told.board.pk)
    assert not mailoutbox  # all of it came before
    announce(told.board, "For members", "", by=told.organiser)
    Board.objects.filter(pk=told.board.pk).update(is_public=False)
    tell_followers(told.board.pk)
    assert not mailoutbox
    Board.objects.filter(pk=told.board.pk).update(is_public=True)
    tell_followers(told.board.pk)
    assert [each.to for each in mailoutbox] == [[told.mate.email]]
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, mail=None)
    FollowMail.objects.all().delete()
    tell_followers(told.board.pk)
    assert len(mailoutbox) == 1


def test_without_mail_a_board_is_followed_on_ones_own_page(told: Cast) -> None:
    client = signed_in(told.stranger)
    assert "This server sends no mail." in client.get(FOLLOW).text
    client.post(FOLLOW, {"how": "mail"})
    assert not Follow.objects.get().by_mail
    assert "Web Docs" in client.get("/me/").text
    client.post(FOLLOW, {"how": "none"})
    assert not Follow.objects.exists()


def test_who_deletes_their_account_follows_nothing(told: Cast) -> None:
    follow(told.board, told.assessor, by_mail=True)
    told.assessor.forget()
    assert not Follow.objects.exists()


def test_a_run_is_new_among_the_best_once(told: Cast) -> None:
    first = TopGroupEntry.objects.get().at
    told.board.results_due += 1
    told.board.save()
    refresh_results(told.board.pk)
    assert TopGroupEntry.objects.get().at == first


# ---- announcements ----


def test_an_announcement_is_on_record_and_can_be_withdrawn(told: Cast) -> None:
    client = signed_in(told.organiser)
    assert client.post(ANNOUNCE, {"headline": "x", "text": ""}).status_code == 422
    assert client.post(ANNOUNCE, {"headline": "Labels v2 in May", "text": "*Soon.*"}).status_code == 302
    assert "Announced: Labels v2 in May" in told.board.audit.latest("number").what
    for path in ("/b/web-docs/about/", ANNOUNCE):
        assert "<em>Soon.</em>" in client.get(path).text
    assert "Labels v2 in May" in signed_in(told.participant).get("/me/").text
    client.post(f"{ANNOUNCE}{Announcement.objects.get().pk}/withdraw/")
    assert "Labels v2 in May" not in Client().get("/b/web-docs/about/").text
    assert find_break(told.board) is None


def test_a_long_announcement_is_refused(told: Cast) -> None:
    with pytest.raises(AnnouncementRefusedError, match="Found 2,001 characters; expected 2,000 at most"):
        announce(told.board, "A headline", "x" * 2001, by=told.organiser)
