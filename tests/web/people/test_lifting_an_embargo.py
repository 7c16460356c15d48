"""An anonymous run gets its name back on the day, by itself; until then its own people and the organisers see it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from tests.web.reading import row_of
from tests.web.viewing import SECRET_NAME, SECRET_TEAM, Viewed, browse

PATHS = (
    "",
    "history/",
    "history.csv",
    "history.json",
    "export.csv",
    "export.json",
    "export.tex",
    "embed/",
    "stability/",
)


def test_the_place_of_the_team_says_until_when(viewed: Viewed) -> None:
    until = viewed.board.submissions.get(run_id="R3").anonymous_until
    row = row_of(browse(None).get("/b/web-docs/").text, "R3")
    assert row.startswith("1–2 R3 Anonymous until")
    assert f"Anonymous until {until:%Y-%m-%d}" in row
    assert SECRET_TEAM not in row


@pytest.mark.parametrize("path", PATHS)
def test_its_own_team_and_the_organisers_see_its_name(viewed: Viewed, path: str) -> None:
    assert SECRET_NAME in browse(viewed.cast.organiser).get(f"/b/web-docs/{path}").text or path == "embed/"
    assert SECRET_NAME in browse(viewed.cast.stranger).get(f"/b/web-docs/{path}").text or path == "embed/"


@pytest.mark.parametrize("path", PATHS)
def test_on_the_day_everyone_sees_it(viewed: Viewed, path: str) -> None:
    assert SECRET_NAME not in browse(None).get(f"/b/web-docs/{path}").text
    viewed.board.submissions.filter(run_id="R3").update(anonymous_until=timezone.now().date())
    assert SECRET_NAME in browse(None).get(f"/b/web-docs/{path}").text


def test_the_day_before_nobody_does(viewed: Viewed) -> None:
    viewed.board.submissions.filter(run_id="R3").update(anonymous_until=timezone.now().date() + timedelta(days=1))
    assert SECRET_NAME not in browse(None).get("/b/web-docs/").text


def test_a_search_finds_it_by_its_label_only(viewed: Viewed) -> None:
    everyone, own = browse(None), browse(viewed.cast.stranger)
    assert "/runs/R3/" in everyone.get("/b/web-docs/", {"q": "R3"}).text
    for asked in (SECRET_NAME, "long", SECRET_TEAM):
        assert "/runs/R3/" not in everyone.get("/b/web-docs/", {"q": asked}).text
        assert "/runs/R3/" in own.get("/b/web-docs/", {"q": asked}).text


def test_the_best_of_each_team_does_not_tell_whose_it_is(viewed: Viewed) -> None:
    """R2 and R3 are of one team: were R3 counted with it, R2 would vanish behind it."""
    page = browse(None).get("/b/web-docs/", {"per": "best"}).text
    assert [label for label in ("B1", "R1", "R2", "R3", "R4") if f"/runs/{label}/" in page] == ["B1", "R1", "R2", "R3"]
    own = browse(viewed.cast.stranger).get("/b/web-docs/", {"per": "best"}).text
    assert "/runs/R2/" not in own


def test_the_number_of_teams_is_no_hint(viewed: Viewed) -> None:
    """Were R2 not there, Norrland IR would have the anonymous run alone."""
    run = viewed.board.submissions.get(run_id="R2")
    run.withdrawn_at = run.submitted_at
    run.save()
    assert "3 runs, 1 team, 1 anonymous" in browse(None).get("/b/web-docs/").text
