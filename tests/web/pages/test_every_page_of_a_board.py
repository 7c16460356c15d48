"""Every page and file of a board, for everybody: sound markup without code, provenance, nothing beyond policy."""

from __future__ import annotations

import json
import re

import pytest
from tests.web.reading import faults_of
from tests.web.viewing import SCRIPT, SECRET_NAME, TAG, Viewed, browse

from toprung.web.core.models.results import Audience, StoredResult

pytestmark = pytest.mark.figures
PAGES = (
    "",
    "?against=B1&per=best&q=R",
    "history/",
    "stability/",
    "compare/",
    "compare/?b=R3&a=R2",
    "compare/?b=R4&a=R1",
    "compare/?b=R99&a=R2",
    "about/",
    "embed/",
)
FILES = (
    "export.csv",
    "export.json",
    "export.tex",
    "history.csv",
    "history.json",
    "history.svg",
    "history.tex",
    "stability.csv",
    "stability.json",
    "stability.tex",
    "stability/places.svg",
    "stability/pairs.svg",
    "stability/shares.svg",
    "significance.csv",
    "significance.json",
    "significance.tex",
    "compare.json?b=R3&a=R2",
    "compare.tex?b=R3&a=R2",
    "compare/miss-cost.svg?b=R3&a=R2",
    "compare/rank-differences.svg?b=R3&a=R2",
)
EXACT = re.compile(r"(?<![\d.])0?\.(4166|4167|4291|4292|1875|3333|0833|0125|0262)")
"""Scores of R1 to R4, by how much R2 and R3 lead in their claims, and what that of R2 could see, to four digits."""
PEOPLE = ("anonymous", "participant", "mate", "assessor", "other organiser")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("who", ["anonymous", "participant", "organiser"])
def test_markup_is_sound_and_holds_no_code(viewed: Viewed, path: str, who: str) -> None:
    people = viewed.people() | {"organiser": viewed.cast.organiser}
    page = browse(people[who]).get(f"/b/web-docs/{path}")
    assert faults_of(page.text) == []
    policy = page.headers["Content-Security-Policy"]
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    assert SCRIPT not in page.text
    assert TAG not in page.text


@pytest.mark.parametrize("path", [page for page in PAGES if page != "embed/"])
def test_the_foot_says_where_the_page_comes_from(viewed: Viewed, path: str) -> None:
    foot = browse(None).get(f"/b/web-docs/{path}").text.split('<footer class="provenance">')[1]
    digest = viewed.board.label_sets.get(use="official").digest
    assert "Labels v1, " in foot
    assert f"sha256 {digest[7:11]}…{digest[-4:]}" in foot
    assert "Toprung " in foot


@pytest.mark.parametrize("who", PEOPLE)
def test_nothing_tells_more_than_the_release_policy(viewed: Viewed, who: str) -> None:
    browser, full_digest = browse(viewed.people()[who]), viewed.board.label_sets.get(use="official").digest[7:]
    for path in (*PAGES, *FILES):
        text = browser.get(f"/b/web-docs/{path}").text
        assert EXACT.search(text) is None, path
        assert "rel-q" not in text, path
        assert full_digest not in text, path
        assert '_digest": "sha256:' not in text, path


def test_what_is_stored_for_everyone_holds_no_more_either(viewed: Viewed) -> None:
    """The page cannot leak what it does not have."""
    stored = StoredResult.objects.filter(board=viewed.board, audience=Audience.PUBLIC)
    assert stored.count() > 8
    for each in stored:
        assert EXACT.search(str(each.content)) is None, (each.kind, each.key)
    for standing in viewed.board.standings.filter(audience=Audience.PUBLIC):
        assert EXACT.search(str(standing.content)) is None


def test_organisers_are_shown_more(viewed: Viewed) -> None:
    """So that the test above can fail."""
    browser = browse(viewed.cast.organiser)
    for path in ("", "export.csv", "export.json", "stability/", "compare/?b=R3&a=R2", "history/"):
        assert EXACT.search(browser.get(f"/b/web-docs/{path}").text), path


def without_the_question(text: str) -> str:
    """What was searched for stands in the field, in the answer, and in addresses of the same view in other orders."""
    for around in ('value="{}"', "“{}”", "q={}"):
        text = text.replace(around.format(SECRET_NAME), "")
    return text


@pytest.mark.parametrize("who", PEOPLE)
def test_who_is_anonymous_appears_nowhere(viewed: Viewed, who: str) -> None:
    """Norrland IR has another run, so its name may stand on pages, but never beside R3."""
    browser = browse(viewed.people()[who])
    for path in (*PAGES, *FILES, f"?q={SECRET_NAME}", "?q=Norrland", "?q=Norrland&sort=run"):
        text = browser.get(f"/b/web-docs/{path}").text
        assert SECRET_NAME not in without_the_question(text), path
    assert "Anonymous until" in browser.get("/b/web-docs/").text


def test_stored_figures_call_runs_by_label_only(viewed: Viewed) -> None:
    """What is drawn is trusted as markup, so no text of a user may be in it; the others are drawn when asked for."""
    texts = [each for run in viewed.board.submissions.all() for each in (run.name, *run.tags)] + ["Kestrel", "Norrland"]
    for each in StoredResult.objects.filter(board=viewed.board):
        for figure in each.content.get("figures", ()):
            assert "<svg" in figure["svg"] if "svg" in figure else figure["kind"] in ("stability", "label-sets")
            stored = json.dumps(figure, ensure_ascii=False)
            for text in texts:
                assert text not in stored
                assert text.replace("<", "&lt;").replace(">", "&gt;") not in stored


@pytest.mark.parametrize("path", [*PAGES, *FILES])
def test_a_private_board_is_not_there(viewed: Viewed, path: str) -> None:
    viewed.board.is_public = False
    viewed.board.save()
    assert browse(None).get(f"/b/web-docs/{path}").status_code == 404


@pytest.mark.parametrize("path", [*PAGES, "export.csv", "export.json"])
def test_nothing_but_looking_is_done_by_looking(viewed: Viewed, path: str) -> None:
    """POST is for having a pair compared, and for nothing else here."""
    answer = browse(viewed.cast.participant).post(f"/b/web-docs/{path}")
    assert answer.status_code == (302 if path.startswith("compare/") else 405)
