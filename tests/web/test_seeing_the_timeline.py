"""Who held the top rung, and which claims to it did not pass."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from tests.web.reading import row_of, text_of
from tests.web.viewing import Viewed, browse

from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.services.results.compute import compute_results

pytestmark = pytest.mark.figures
PAGE = "/b/web-docs/timeline/"


def part(page: str, heading: str) -> str:
    return page.partition(f"<h2>{heading}</h2>")[2].partition("</section>")[0]


def test_the_sentence_sets_holders_against_leaders(viewed: Viewed) -> None:
    """Of three claims those of R1 and R2 passed; by score alone B1, R1, R2 and R3 led."""
    page = text_of(browse(None).get(PAGE).text)
    assert "Two submissions have proved an improvement when they came." in page
    assert "Sorted by score alone, this board would have named four leaders." in page


def test_who_held_it_and_why(viewed: Viewed) -> None:
    """R1 has 1/3 and B1 1/5 on every query; R2 has 1/2 and R1 1/3 on half of them."""
    held = part(browse(None).get(PAGE).text, "Who held the top rung")
    assert row_of(held, "R2").startswith("R2 list-13b Norrland IR 2026-03-01 to today")
    assert row_of(held, "R1").startswith(
        "R1 kestrel-xl Kestrel Lab 2026-02-10 to 2026-03-01 19 B1 proved to be better, doing no harm +0.133"
    )
    assert "better, doing no harm < 0.0001 (0.0022)" in row_of(held, "R1")
    assert "R1 proved to be better, doing no harm +0.084 (0.056 to 0.111)" in row_of(held, "R2"), "0.417 less 0.333"
    assert "is the best baseline" in row_of(held, "B1")


def test_a_claim_that_did_not_pass_stands_with_its_p_and_level(viewed: Viewed) -> None:
    """One query differs, so p = 1; the level is 0.05 of the first three shares, which two that passed handed on."""
    claims = {
        user: row_of(part(browse(user).get(PAGE).text, "Claims that did not pass"), "R3")
        for user in (None, viewed.cast.organiser)
    }
    for user, difference in ((None, "+0.01"), (viewed.cast.organiser, "+0.0125")):
        assert claims[user].startswith("R3")
        assert difference in claims[user]
        assert "cannot be told apart" in claims[user]
        assert "1.000 (0.0059)" in claims[user]


def test_the_figure_tells_its_finding(viewed: Viewed) -> None:
    page = browse(None).get(PAGE).text
    assert '<title id="timeline-finding">2 of 3 claims passed: R1 and R2 proved an improvement when they came' in page


def test_scores_stand_with_the_digits_that_are_released(viewed: Viewed) -> None:
    """5/12 and 103/240 to three digits on the page; to four for organisers."""
    figure = text_of(browse(None).get(PAGE).text)
    assert "R2 at 0.417 " in figure
    assert "R3 at 0.429 " in figure
    assert "R2 at 0.4167 " in text_of(browse(viewed.cast.organiser).get(PAGE).text)


def test_no_result_for_everyone_writes_more_digits_than_are_released(viewed: Viewed) -> None:
    """B1, R1, R2, R3 and R4 have 0.200, 0.333, 0.417, 0.429 and 0.188: no zero is added to look more exact."""
    for each in StoredResult.objects.filter(board=viewed.board, audience=Audience.PUBLIC):
        assert re.search(r"0\.(200|333|417|429|188)0", str(each.content)) is None, (each.kind, each.key)


def test_claims_of_withdrawn_runs_stay_on_record(viewed: Viewed) -> None:
    """R1 took the rung from B1, and R3 claimed it in vain; the ledger has both, and so has the timeline."""
    viewed.board.submissions.filter(run_id__in=["R1", "R3"]).update(withdrawn_at=timezone.now())
    viewed.board.results_due += 1
    viewed.board.save()
    compute_results(viewed.board.pk)
    page = browse(None).get(PAGE).text
    assert "2 claims of runs that were withdrawn since are counted neither there nor" in text_of(page)
    taken = row_of(part(page, "Took the top rung, and were withdrawn"), "R1")
    assert taken.startswith("R1 kestrel-xl Kestrel Lab withdrawn since 2026-02-10 B1")
    assert "withdrawn since" in row_of(part(page, "Claims that did not pass"), "R3")


def test_a_run_that_shows_nothing_makes_no_claim(viewed: Viewed) -> None:
    page = browse(None).get("/b/ladder/timeline/").text
    assert "None so far." in text_of(part(page, "Claims that did not pass"))
    assert "R2" in text_of(page)
    assert "R3" not in text_of(page)


def test_before_the_first_run_there_is_nothing_to_see(viewed: Viewed) -> None:
    assert "There is nothing to show yet." in browse(None).get("/b/elsewhere/timeline/").text
