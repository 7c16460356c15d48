"""Pages for what went wrong: in plain words, in the frame of the site, without telling what lies behind."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.test import Client
from tests.web.reading import faults_of, text_of
from tests.web.viewing import Viewed, browse


@pytest.mark.parametrize("path", ["/nothing/", "/b/nothing/", "/b/web-docs/nothing/", "/b/nothing/export.csv"])
def test_what_is_not_there_looks_like_what_may_not_be_seen(viewed: Viewed, path: str) -> None:
    viewed.board.is_public = False
    viewed.board.save()
    hidden, missing = browse(None).get("/b/web-docs/"), browse(None).get(path)
    assert hidden.status_code == missing.status_code == 404
    assert hidden.text == missing.text
    assert "There is no such page, or you may not see it." in text_of(missing.text)
    assert faults_of(missing.text) == []


@pytest.mark.parametrize("status", [400, 403, 404, 413, 429, 500])
def test_every_error_has_a_page_in_plain_words(status: int) -> None:
    page = render_to_string(f"{status}.html", {"exception": "secret: /srv/data/labels.txt"})
    assert faults_of(page) == []
    assert "secret" not in page
    assert "<h1>" in page


def test_a_form_without_its_token_is_refused_in_plain_words(viewed: Viewed) -> None:
    browser = Client(enforce_csrf_checks=True)
    answer = browser.post("/b/web-docs/compare/", {"b": "R4", "a": "R1"})
    assert answer.status_code == 403
    assert "Nothing was changed" in text_of(answer.text)


def test_a_fault_of_ours_tells_nothing(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("hidden label q01 rel-q01")

    monkeypatch.setattr("toprung.web.site.board.leaderboard.list_runs", fail)
    browser = browse(None)
    browser.raise_request_exception = False
    answer = browser.get("/b/web-docs/")
    assert answer.status_code == 500
    assert "rel-q01" not in answer.text
    assert "Something went wrong on our side" in text_of(answer.text)
