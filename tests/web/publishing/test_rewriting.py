"""Pages as files: links are led on or taken out, what needs a server goes, all else stays to the byte."""

from __future__ import annotations

import pytest

from toprung.web.ops.publish.rewriting import rewrite

KNOWN = {"/b/x/": "index.html", "/b/x/runs/R1/": "runs/R1.html", "https://example.org/": "https://example.org/"}


def written(page: str) -> str:
    return rewrite(page, KNOWN.get).text


@pytest.mark.parametrize(
    "page",
    [
        "<p>a &lt;b&gt; &amp; &nbsp;c &copy d &#x27; 5 > 3</p>",
        '<svg viewBox="0 0 1 1"><linearGradient id="g"/><path d="M0 0"/></svg>',
        '<button type="button" popovertarget="h">Rank</button><span popover id="h">Help</span>',
        "<!doctype html>\r\n<p title='x\ny'>text\n\n</p><!-- a <a href='/b/x/'> -->",
    ],
)
def test_what_is_no_link_stays_to_the_byte(page: str) -> None:
    assert written(page) == page


def test_a_link_leads_to_the_file() -> None:
    assert written('<a class="plain" href="/b/x/runs/R1/">R1</a>') == '<a class="plain" href="runs/R1.html">R1</a>'


def test_a_link_elsewhere_stays() -> None:
    page = '<a href="https://example.org/" rel="nofollow">paper</a>'
    assert written(page) == page


def test_a_link_in_text_leaves_its_words() -> None:
    assert written('See <a class="a" href="/no/"><b>that</b></a>.') == 'See <span class="a"><b>that</b></span>.'
    assert written('<svg><a href="/no/"><rect/></a></svg>') == "<svg><g><rect/></g></svg>"


@pytest.mark.parametrize(
    "page",
    [
        '<a class="btn main" href="/no/">Submit a run</a>',
        '<form method="get"><a href="/b/x/">x</a><input name="q"></form>',
        '<script src="/static/django_htmx/htmx.min.js" defer></script>',
        "<script>fetch('/b/x/')</script>",
        '<meta http-equiv="refresh" content="5">',
        '<button class="btn">Send</button>',
    ],
)
def test_what_needs_a_server_goes_with_its_words(page: str) -> None:
    assert written(f"<p>before{page}after</p>") == "<p>beforeafter</p>"


def test_an_entry_of_a_menu_goes_with_its_words() -> None:
    page = '<nav hx-boost="true"><a href="/b/x/">Board</a><a href="/no/">Sign in</a></nav>'
    assert written(page) == '<nav><a href="index.html">Board</a></nav>'


def test_links_within_what_goes_are_not_followed() -> None:
    found = rewrite('<form><a href="/b/x/swap/">swap</a></form><a href="/b/x/">x</a>', lambda link: link)
    assert found.links == ("/b/x/",)


@pytest.mark.parametrize(("form", "asks"), [("<form>", False), ('<form method="POST">', True)])
def test_a_page_that_is_there_to_send_something_is_told(form: str, asks: bool) -> None:
    assert rewrite(f"<p>x</p>{form}</form>", lambda link: link).asks is asks


def test_values_stay_escaped() -> None:
    page = '<a href="/b/x/" title="&quot;&gt;&lt;img onerror=&quot;x&quot;&gt;" hidden>x</a>'
    assert written(page) == ('<a href="index.html" title="&quot;&gt;&lt;img onerror=&quot;x&quot;&gt;" hidden>x</a>')
