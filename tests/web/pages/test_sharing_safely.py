"""What pages are packed, and what of that could tell a secret; badges, cards, and the page of the API."""

from __future__ import annotations

import gzip
import struct

import pytest
import vl_convert
from django.core.cache import caches
from django.test import Client
from django.urls import get_resolver
from tests.web.reading import faults_of, text_of
from tests.web.viewing import SECRET_NAME, Viewed, browse

from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.services.shown.pictures import KEPT
from toprung.web.site.me.api_page import OFFERS

pytestmark = pytest.mark.postgres
PACKED = {"Accept-Encoding": "gzip"}


def test_two_answers_with_the_same_token_are_not_of_the_same_length(viewed: Viewed) -> None:
    """The token is masked anew, and a name of random length is put before what is packed (against BREACH)."""
    browser = browse(viewed.cast.participant)
    answers = [browser.get("/b/web-docs/follow/", headers=PACKED) for _ in range(12)]
    assert all(each.headers["Content-Encoding"] == "gzip" for each in answers)
    pages = [gzip.decompress(each.content) for each in answers]
    assert len({len(each.content) for each in answers}) > 1
    tokens = {page.partition(b'csrfmiddlewaretoken" value="')[2][:64] for page in pages}
    assert len(tokens) == len(pages)


def test_what_is_packed_already_or_comes_in_pieces_is_left(viewed: Viewed) -> None:
    labels = Board.objects.get(slug="web-docs").label_sets.get(use="dev")
    for path in ("/b/web-docs/card.png", f"/b/web-docs/labels/{labels.pk}/"):
        answer = Client().get(path, headers=PACKED)
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers
        assert b"".join(answer)  # which closes the file
    assert Client().get("/b/web-docs/badge.svg", headers=PACKED).headers["Content-Encoding"] == "gzip"


def test_badges_say_what_everyone_may_know(viewed: Viewed) -> None:
    board = Client().get("/b/web-docs/badge.svg")
    assert board.headers["Content-Type"] == "image/svg+xml"
    assert board.headers["Cache-Control"] == "public, max-age=3600"
    assert "<title>Web Docs: 2 of 5 runs may be best</title>" in board.text
    assert "list-13b may be best, with 1 other" in Client().get("/b/web-docs/runs/R2/badge.svg").text
    assert "kestrel-xl ranks 3rd" in Client().get("/b/web-docs/runs/R1/badge.svg").text
    for person in (None, viewed.cast.stranger, viewed.cast.organiser):
        assert SECRET_NAME not in browse(person).get("/b/web-docs/runs/R3/badge.svg").text
    assert "R3: no score shown" in Client().get("/b/ladder/runs/R3/badge.svg").text
    assert "no run yet" in Client().get("/b/elsewhere/badge.svg").text


def test_a_card_is_drawn_once_for_each_state(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    to_png = vl_convert.svg_to_png

    def note(svg: str, scale: float) -> bytes:
        drawn.append(svg)
        return bytes(to_png(svg, scale=scale))

    caches[KEPT].clear()
    monkeypatch.setattr(vl_convert, "svg_to_png", note)
    first, second = (Client().get("/b/web-docs/card.png") for _ in range(2))
    assert struct.unpack(">II", first.content[16:24]) == (1200, 630)
    assert first.content == second.content
    assert len(drawn) == 1
    assert SECRET_NAME not in drawn[0]
    Submission.objects.filter(run_id="R3").update(anonymous_until=None)
    Client().get("/b/web-docs/card.png")
    assert len(drawn) == 2
    assert SECRET_NAME in drawn[1]
    assert Client().get("/b/web-docs/card.png", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_the_page_of_the_api_names_what_is_there(viewed: Viewed) -> None:
    page = Client().get("/api/").text
    assert faults_of(page) == []
    assert "curl http://localhost:8000/api/v1/boards/" in text_of(page)
    assert 'href="/api/v1/openapi.json"' in page
    assert '<a href="/api/">API</a>' in Client().get("/").text
    for _, path, _ in OFFERS:
        address = path.partition("?")[0].replace("{board}", "web-docs")
        assert get_resolver().resolve(f"/api/v1/{address}")
