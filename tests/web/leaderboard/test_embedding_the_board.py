"""The view for pages elsewhere: it may be framed there, it alone, and it is what everyone sees."""

from __future__ import annotations

from tests.web.reading import text_of
from tests.web.viewing import SECRET_NAME, Viewed, browse


def test_any_page_may_frame_it_and_no_other(viewed: Viewed) -> None:
    embedded = browse(None).get("/b/web-docs/embed/")
    assert "frame-ancestors *" in embedded.headers["Content-Security-Policy"]
    assert "script-src 'none'" in embedded.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in embedded.headers
    page = browse(None).get("/b/web-docs/")
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"


def test_no_cookie_is_read_or_set(viewed: Viewed) -> None:
    embedded = browse(viewed.cast.organiser).get("/b/web-docs/embed/")
    assert not embedded.cookies
    assert "Cookie" not in embedded.headers.get("Vary", "")


def test_it_shows_everyone_the_same(viewed: Viewed) -> None:
    for user in (viewed.cast.organiser, viewed.cast.stranger, None):
        page = browse(user).get("/b/web-docs/embed/").text
        assert SECRET_NAME not in page
        assert "0.417" in page
        assert "0.4167" not in page


def test_there_is_nothing_to_fill_in_and_links_open_elsewhere(viewed: Viewed) -> None:
    page = browse(None).get("/b/web-docs/embed/").text
    for tag in ("<form", "<input", "<script"):
        assert tag not in page
    assert page.count("<a ") == page.count('target="_blank" rel="noopener"') == 2
    assert "Two runs may be best: R3 and list-13b ; the labels cannot tell them apart." in text_of(page)
    assert page.count(' class="may-be-best"') == 2
