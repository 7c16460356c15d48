"""An organiser makes a board in the browser, adds a baseline, and looks at what only organisers see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.web.cast import DEV, OFFICIAL, PRIVATE, even_ranks, run_text
from tests.web.journeys.conftest import Enter
from tests.web.journeys.site import Site
from tests.web.journeys.walking import Walk

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with


def test_an_organiser_makes_a_board_and_looks_at_its_validity(site: Site, enter: Enter, tmp_path: Path) -> None:
    walk = Walk(seen=enter("/boards/new/", "organiser"))
    make_board(walk, tmp_path)
    walk.go(f"{site.url}/b/made-here/organise/baselines/")
    add_baseline(walk, tmp_path)
    walk.go(f"{site.url}/b/made-here/organise/validity/")
    assert "private" in walk.reads().lower()
    assert walk.faults == []


def test_only_organisers_see_how_public_scores_hold_on_private_queries(site: Site, enter: Enter) -> None:
    path, private_score = "/b/rounded/organise/validity/", "0.588"  # of R5, on queries that nobody could tune on
    seen = Walk(seen=enter(path, "organiser")).reads("body")
    assert private_score in seen
    assert "Quokka Hideout" in seen
    for role in ("", "participant"):
        hidden = Walk(seen=enter(path, role)).reads("body")
        assert private_score not in hidden
        assert "Quokka Hideout" not in hidden


def make_board(walk: Walk, folder: Path) -> None:
    walk.write(slug="made-here", title="Made here", task="Rank documents for a question.", quota="3")
    for name, queries in (("official_file", OFFICIAL), ("private_file", PRIVATE), ("dev_file", DEV)):
        walk.choose(name, write_labels(folder / f"{name}.txt", queries))
    walk.press("Make the board")
    walk.wait_for("Made here was made, and you organise it")


def add_baseline(walk: Walk, folder: Path) -> None:
    """The file is checked while the page is open; then it gets its name."""
    file = folder / "bm25.txt"
    file.write_bytes(run_text(even_ranks(5)))
    walk.choose("file", file)
    walk.press("Send and check")
    walk.wait_for("Add as a baseline")
    walk.write(name="bm25")
    walk.press("Add as a baseline")
    walk.wait_for("is being scored")


def write_labels(path: Path, queries: Sequence[str]) -> Path:
    path.write_text("".join(f"{query} 0 rel-{query} 1\n" for query in queries))
    return path
