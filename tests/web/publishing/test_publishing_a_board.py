"""A board as plain files: complete, linked within itself, and without anything that needs a server."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from tests.web.published import SITE, copy_of_publication, find_dead_links, links_of, names_in, pages_in
from tests.web.reading import faults_of, folded, text_of
from tests.web.viewing import SCRIPT, SECRET_NAME, TAG, Viewed

from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.ops.publish.publish import publish_board


@pytest.fixture
def site(viewed: Viewed, kept_publication: Path, tmp_path: Path) -> Path:
    """The board of the tests of pages, published."""
    return copy_of_publication(viewed.board, kept_publication, tmp_path / "site")


# ---- what is in it ----


def test_every_public_page_and_file_is_there(site: Path) -> None:
    assert {
        "index.html",
        "history.html",
        "history.json",
        "history.csv",
        "data.html",
        "stability.html",
        "stability.csv",
        "stability.json",
        "stability.tex",
        "significance.csv",
        "about.html",
        "methods.html",
        "embed.html",
        "export.csv",
        "export.json",
        "export.tex",
        *(f"runs/{label}.html" for label in ("B1", "R1", "R2", "R3", "R4")),
        "teams/kestrel-lab.html",
        "teams/norrland-ir.html",
        # Against the holder, and the claims against the holders of their days.
        *(f"compare-a-R3-b-{label}.html" for label in ("B1", "R1", "R2", "R4")),
        *("compare-a-B1-b-R1.html", "compare-a-R1-b-R2.html", "compare-a-R2-b-R3.html"),
        "compare-a-R2-b-R3.json",
        "compare-a-R2-b-R3.tex",
        "static/toprung/base.css",
        "static/toprung/toprung.css",
        "static/toprung/icon.svg",
        "static/toprung/copy.js",
        "static/toprung/marks.js",
        "manifest.json",
        "SHA256SUMS",
    } <= set(names_in(site))


def test_what_nobody_has_computed_is_not_there_nor_linked(site: Path) -> None:
    """R4 and R1 were never compared, and signing in, submitting and asking need a server."""
    for name, page in pages_in(site).items():
        assert not name.startswith("compare-a-R1-b-R4")
        assert re.search(r"<form|hx-|htmx|csrf|Sign in|Submit a run|/accounts/|/submit/", page) is None, name
    assert not any("htmx" in name or "submit" in name for name in names_in(site))


def test_public_labels_are_there_as_they_were_given(viewed: Viewed, site: Path) -> None:
    labels = viewed.board.label_sets.get(use="dev")
    with labels.file.open("rb") as file:
        assert (site / f"labels/{labels.pk}.txt").read_bytes() == file.read()
    assert f'href="labels/{labels.pk}.txt"' in (site / "about.html").read_text()


def test_pages_of_a_long_board_are_files(viewed: Viewed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toprung.web.services.shown.board.listing.PAGE_SIZE", 2)
    publish_board(viewed.board, tmp_path / "site")
    pages = pages_in(tmp_path / "site")
    assert "index-page-2.html" in pages  # four runs; the baseline stands below those of every page
    assert 'href="index-page-2.html"' in pages["index.html"]
    assert 'rel="prev" href="index.html"' in pages["index-page-2.html"]  # not a second file for the first page
    assert "index-page-1.html" not in pages
    assert find_dead_links(tmp_path / "site") == []


def test_a_board_without_runs_is_published_too(viewed: Viewed, tmp_path: Path) -> None:
    publish_board(viewed.cast.other_board, tmp_path / "site")
    page = (tmp_path / "site/index.html").read_text()
    assert "No run yet." in page
    assert "This is a copy from before the first results." in page
    assert find_dead_links(tmp_path / "site") == []


# ---- links ----


def test_every_link_leads_to_a_file_of_the_folder(site: Path) -> None:
    links = sum(len(links_of(page)) for page in pages_in(site).values())
    assert links > 200
    assert find_dead_links(site) == []


def test_every_file_is_reached_from_the_first_page(site: Path) -> None:
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        name = waiting.pop()
        if name.endswith(".html"):
            for link in links_of((site / name).read_text()):
                if not urlsplit(link).scheme:
                    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), urlsplit(link).path or "."))
                    if target not in reached and (site / target).is_file():
                        reached.add(target)
                        waiting.append(target)
    assert set(names_in(site)) - reached == {"embed.html", "manifest.json", "SHA256SUMS"}


def test_what_is_no_link_any_more_leaves_its_words(viewed: Viewed, site: Path) -> None:
    """The runs of a team on another board are named, without a link; a button goes with its words."""
    page = (site / "runs/R3.html").read_text()
    assert "Compare with" not in page  # the highest score itself
    assert ">Compare with R3</a>" in folded((site / "runs/R4.html").read_text())
    assert ">See the tests</a>" in folded((site / "runs/R3.html").read_text())


# ---- pages ----


def test_markup_is_sound_and_asks_nobody(site: Path) -> None:
    for name, page in pages_in(site).items():
        assert faults_of(page) == [], name
        assert "default-src &#x27;none&#x27;" in page, name
        assert page.index("Content-Security-Policy") < page.index("</head>"), name
        assert re.search(r'<(?:script|link|img|iframe)[^>]*(?:href|src)="(?:https?:)?//', page) is None, name


def test_pages_say_that_they_are_a_copy_and_of_when(viewed: Viewed, site: Path) -> None:
    computed = viewed.board.results.get(kind="board", audience="public").computed_at
    said = f"This is a copy, with the results of {computed:%Y-%m-%d %H:%M} UTC. The board itself is at"
    for name, page in pages_in(site).items():
        assert said in text_of(page), name
        assert f'href="{SITE}/b/web-docs/"' in page, name
    assert f"{SITE}/b/web-docs/runs/R2/" in (site / "runs/R2.html").read_text()  # as it is cited


def test_a_board_that_nobody_can_reach_is_not_linked(viewed: Viewed, tmp_path: Path) -> None:
    publish_board(viewed.board, tmp_path / "site")
    for name, page in pages_in(tmp_path / "site").items():
        assert "This is a copy" in page, name
        assert "The board itself" not in page, name
        assert "localhost" not in page, name


def test_how_long_the_rung_was_held_is_told_up_to_the_results(viewed: Viewed, site: Path) -> None:
    """R2 holds it since 2026-03-01; the copy is read on other days than today."""
    computed = viewed.board.results.get(kind="timeline", audience="public").computed_at
    page = text_of((site / "history.html").read_text())
    days = (computed.date() - timezone.datetime(2026, 3, 1).date()).days
    assert f"2026-03-01 to {computed:%Y-%m-%d} {days:,}" in page
    assert "today" not in page


def test_hostile_names_stay_words(site: Path) -> None:
    for name, page in pages_in(site).items():
        assert SCRIPT not in page, name
        assert TAG not in page, name
    assert "alert(1)" in (site / "runs/R4.html").read_text()
    assert all(re.fullmatch(r"[\w./-]+", name, re.ASCII) for name in names_in(site))


# ---- hidden means hidden ----


def test_who_is_anonymous_appears_in_no_file(site: Path) -> None:
    for name in names_in(site):
        assert SECRET_NAME.encode() not in (site / name).read_bytes(), name
    assert "Anonymous until" in (site / "runs/R3.html").read_text()


def test_a_board_that_is_not_public_is_refused(viewed: Viewed, tmp_path: Path) -> None:
    Board.objects.filter(pk=viewed.board.pk).update(is_public=False)
    with pytest.raises(InputError, match="not public"):
        publish_board(viewed.board, tmp_path / "site")  # as it was when it was looked up
    assert list(tmp_path.iterdir()) == []
