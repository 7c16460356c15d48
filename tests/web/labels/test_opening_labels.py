"""Organisers open hidden labels with a reason, on record before anything is shown; everyone else gets nothing."""

from __future__ import annotations

import pytest
from django.test import Client
from tests.web.cast import Cast
from tests.web.reading import text_of

from toprung.web.core.models.labels import LabelAccess, LabelSet, LabelUse
from toprung.web.core.store.audit import find_break

REASON = "A team asked about query q01."


@pytest.fixture
def official(cast: Cast) -> LabelSet:
    return cast.board.label_sets.get(use="official")


@pytest.fixture
def organiser(client: Client, cast: Cast) -> Client:
    client.force_login(cast.organiser)
    return client


def url_of(labels: LabelSet) -> str:
    return f"/b/web-docs/organise/labels/{labels.pk}/"


def test_only_organisers_of_the_board_open_labels(client: Client, cast: Cast, official: LabelSet) -> None:
    fields = {"reason": REASON, "how": "view"}
    for person in (cast.participant, cast.assessor, cast.stranger, cast.other_organiser):
        client.force_login(person)
        for url in ("/b/web-docs/organise/labels/", url_of(official)):
            assert client.get(url).status_code == 404
        response = client.post(url_of(official), fields)
        assert response.status_code == 404
        assert b"rel-q01" not in response.content
    client.logout()
    assert client.post(url_of(official), fields).status_code == 302
    assert not LabelAccess.objects.exists()


def test_labels_of_another_board_are_not_there(organiser: Client, cast: Cast) -> None:
    others = cast.other_board.label_sets.get(use="official")
    assert organiser.post(url_of(others), {"reason": REASON, "how": "view"}).status_code == 404
    assert not LabelAccess.objects.exists()


def test_the_page_asks_for_a_reason_before_it_shows_anything(organiser: Client, official: LabelSet) -> None:
    page = organiser.get(url_of(official)).content.decode()
    assert "Why do you open official v1?" in page
    assert "rel-q01" not in page
    assert not LabelAccess.objects.exists()


@pytest.mark.parametrize("reason", ["", "because", "x" * 1001])
def test_a_reason_that_says_too_little_opens_nothing(organiser: Client, official: LabelSet, reason: str) -> None:
    response = organiser.post(url_of(official), {"reason": reason, "how": "view"})
    assert response.status_code == 422
    assert b"rel-q01" not in response.content
    assert not LabelAccess.objects.exists()


def test_viewing_is_on_record_and_not_kept_by_the_browser(organiser: Client, cast: Cast, official: LabelSet) -> None:
    response = organiser.post(url_of(official), {"reason": REASON, "how": "view"})
    assert response.content.count(b"rel-q") == 40
    assert "no-store" in response.headers["Cache-Control"]
    access = LabelAccess.objects.get()
    assert (access.user, access.label_set, access.reason) == (cast.organiser, official, REASON)
    assert access.what == "Viewed labels, official v1"
    entry = cast.board.audit.get()
    assert (entry.what, entry.details["reason"]) == (access.what, REASON)
    assert find_break(cast.board) is None
    assert f"“{REASON}”" in organiser.get("/b/web-docs/organise/labels/").content.decode()
    assert f"“{REASON}”" in organiser.get("/b/web-docs/organise/validity/").content.decode()


def test_single_queries_can_be_asked_for(organiser: Client, official: LabelSet) -> None:
    fields = {"reason": REASON, "how": "view", "queries": "q02, q01\nnone"}
    page = organiser.post(url_of(official), fields).content.decode()
    assert page.count("rel-q") == 2
    assert "Not in this set: none." in text_of(page)
    assert LabelAccess.objects.get().what == "Viewed labels of 3 queries (q02, q01 and none), official v1"


def test_each_time_takes_a_reason_of_its_own(organiser: Client, official: LabelSet) -> None:
    for n in (1, 2):
        organiser.post(url_of(official), {"reason": REASON, "how": "view"})
        assert LabelAccess.objects.count() == n


def test_a_download_is_the_file_as_it_came(organiser: Client, official: LabelSet) -> None:
    response = organiser.post(url_of(official), {"reason": REASON, "how": "download"})
    assert response.headers["Content-Disposition"] == 'attachment; filename="web-docs-official-v1.txt"'
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]  # of a response that streams
    assert content.splitlines()[0] == b"q01 0 rel-q01 1"
    assert LabelAccess.objects.get().what == "Downloaded labels, official v1"


@pytest.mark.parametrize("how", ["view", "download"])
def test_it_is_on_record_even_where_the_file_then_fails(
    organiser: Client, cast: Cast, official: LabelSet, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise OSError("the disk cannot be read")

    monkeypatch.setattr("toprung.web.services.labels.access_log.labels_of", fail)
    monkeypatch.setattr("toprung.web.site.organise.labels.send_labels", fail)
    with pytest.raises(OSError, match="the disk cannot be read"):
        organiser.post(url_of(official), {"reason": REASON, "how": how})
    assert LabelAccess.objects.get().reason == REASON
    assert cast.board.audit.count() == 1


def test_hostile_reasons_and_queries_come_out_as_text(organiser: Client, official: LabelSet) -> None:
    hostile = "<script>alert('why')</script>"
    response = organiser.post(url_of(official), {"reason": hostile, "how": "view", "queries": "<b>x</b>"})
    assert b"<script>alert" not in response.content
    assert b"<b>x" not in response.content
    for page in ("labels", "audit", "validity"):
        assert b"<script>alert" not in organiser.get(f"/b/web-docs/organise/{page}/").content


def test_too_many_queries_are_refused(organiser: Client, official: LabelSet) -> None:
    queries = " ".join(f"q{n}" for n in range(101))
    response = organiser.post(url_of(official), {"reason": REASON, "how": "view", "queries": queries})
    assert response.status_code == 422
    assert b"found 101; expected 100 at most" in response.content
    assert not LabelAccess.objects.exists()


def test_public_labels_are_for_everyone_and_hidden_ones_for_nobody(client: Client, cast: Cast) -> None:
    begins = {LabelUse.DEV: b"d01 0 rel-d01 1", LabelUse.OFFICIAL: b"q01 0 rel-q01 1"}
    for labels in cast.board.label_sets.all():
        response = client.get(f"/b/web-docs/labels/{labels.pk}/")
        assert response.status_code == (404 if labels.is_hidden else 200), labels.use
        if not labels.is_hidden:
            content = b"".join(response.streaming_content)  # type: ignore[attr-defined]  # it streams
            assert content.startswith(begins[LabelUse(labels.use)])
    assert cast.board.label_sets.filter(is_hidden=True).exists()
    assert not LabelAccess.objects.exists()


def test_public_labels_of_a_board_that_is_not_public_are_not_there(client: Client, cast: Cast) -> None:
    cast.board.is_public = False
    cast.board.save()
    dev = cast.board.label_sets.get(use="dev")
    assert client.get(f"/b/web-docs/labels/{dev.pk}/").status_code == 404
