"""How stable the order is, and which runs differ beyond chance: as tasks stored it, with tables beside the figures."""

from __future__ import annotations

from tests.web.reading import text_of
from tests.web.viewing import Viewed, browse

from toprung.web.core.models.results import StoredResult


def test_the_first_runs_stand_with_their_shares(viewed: Viewed) -> None:
    """B1 and R4 never come near the others: 0.2 and 0.1875 against at least 1/3 on every draw."""
    page = browse(None).get("/b/web-docs/stability/").text
    words = text_of(page)
    assert "of 10,000 bootstrap trials; at 95% confidence" in words
    assert "Each sample draws 40 queries with replacement and ranks all runs again by RR@100." in words
    assert "R1 kestrel-xl 0 0 100.0% 0 0 3.0 3" in words
    assert "R2 list-13b may be best" in words
    assert "2 of 5 runs may be best: R3 and R2." in words
    assert '<td class="c6">100.0%</td>' in page
    assert "Shares are not a confidence interval." in words


def test_the_figures_of_all_runs_are_a_table_too(viewed: Viewed) -> None:
    page = text_of(browse(None).get("/b/web-docs/stability/").text)
    assert "place run RR@100 expected rank 1" in page
    assert "3 R1 0.333 3.00 0% 0% 100.0%" in page


def test_stability_as_csv(viewed: Viewed) -> None:
    lines = browse(None).get("/b/web-docs/stability.csv").text.splitlines()
    assert lines[0].startswith("place,run,RR@100,expected,rank 1")
    assert len(lines) == 6


def test_all_pairs_and_who_cannot_be_told_apart(viewed: Viewed) -> None:
    """R2 and R3 differ on one query; B1 and R4 differ by 0.05 on 30 queries and by 0.2 on 10, which is no chance."""
    page = text_of(browse(None).get("/b/web-docs/significance/").text)
    assert "Of 10 pairs, " in page
    assert "R3 0.429 " in page
    assert "R2 cannot be told apart from R3, the first by RR@100." in page
    assert "CSV and JSON have every pair" not in page


def test_of_two_runs_there_is_no_grid(viewed: Viewed) -> None:
    StoredResult.objects.filter(board=viewed.board, kind="significance").delete()
    page = browse(None).get("/b/web-docs/significance/").text
    assert "All pairs are tested once there are three runs" in text_of(page)
    assert browse(None).get("/b/web-docs/significance.csv").status_code == 404


def test_before_the_first_runs_there_is_nothing_to_see(viewed: Viewed) -> None:
    assert "There is nothing to show yet." in browse(None).get("/b/elsewhere/stability/").text
