"""What a board says of itself, and the methods in plain words; what organisers write is Markdown and nothing else."""

from __future__ import annotations

import re

import pytest
from tests.web.reading import faults_of, text_of
from tests.web.viewing import Viewed, browse

from toprung.boards.engine.rules import Rule
from toprung.web.core.models.boards import RULES, Board
from toprung.web.site.board.markdown import TAGS, render_markdown

PAGE = "/b/web-docs/about/"
HARMLESS_LINK = 'href="https://example.org" rel="nofollow noopener noreferrer ugc"'


def read(viewed: Viewed, **fields: object) -> str:
    Board.objects.filter(pk=viewed.board.pk).update(**fields)
    return text_of(browse(None).get(PAGE).text)


def test_a_board_can_be_set_to_the_rules_of_the_library_and_to_no_others() -> None:
    assert set(RULES) == {rule.value for rule in Rule}


def test_the_rules_are_in_plain_words(viewed: Viewed) -> None:
    page = read(viewed)
    for said in (
        "Better beyond chance, doing no harm, 5% overall.",
        "A claim passes if its mean RR@100 is higher than the holder’s beyond chance",
        "or if it answers more queries beyond chance (exact binomial test), each within half of the level of the "
        "claim; and if harm is excluded with 95% confidence: neither the queries answered nor RR where both answer may "
        "fall by more than 1/√n of the n queries looked at, from 1 to 10 points.",
        "the chance that any false claim ever passes is to stay within 0.05.",
        "Every run is shown its score, rounded to 3 decimals. The labels are public; shares are given to 0.1%",
        "A team may submit 2 runs in any 30 days, and so may a person, with all their teams together; checking a "
        "file and dry runs are not counted.",
        "A run may stay anonymous for up to 9 months",
        "labels v1, ",
    ):
        assert said in page


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"rule": "score"}, "A higher score, not tested. The run with the highest mean RR@100 holds"),
        ({"rule": "both"}, "A claim passes if the run answers more queries than the holder (exact binomial test) and"),
        ({"rule": "measure", "official_measure": "nDCG@10"}, "A claim passes if its mean nDCG@10 is higher than"),
        (
            {"answered_margin": 0.02},
            "queries answered may fall by no more than 2.0 points, RR where both answer by no more than 1/√n",
        ),
        (
            {"answered_margin": 0.02, "ranking_margin": 0.02},
            "neither the queries answered nor RR where both answer may fall by more than 2.0 points",
        ),
        ({"release": "full"}, "Every run is shown its score, to 4 decimals."),
        ({"release": "ladder:0.02"}, "only if it does better than its team’s best by more than 0.02."),
        ({"release": "ladder:free"}, "by more than its standard error."),
        ({"release": "board-ladder:auto"}, "Before it is compared a lot is added, drawn from its file"),
        ({"refuses_near_duplicates": True}, "nearly the same as an earlier one of its team is refused."),
        ({"embargo_months": 0}, "Runs appear with the names of their teams."),
    ],
)
def test_every_choice_has_its_words(viewed: Viewed, fields: dict[str, object], said: str) -> None:
    assert said in read(viewed, **fields)


def test_private_labels_are_spoken_of_and_not_shown(viewed: Viewed) -> None:
    page = browse(None).get(PAGE).text
    private = viewed.board.label_sets.get(use="private")
    assert "The organisers hold private labels too" in page
    assert private.digest[7:11] + "…" not in page
    assert ">20<" not in page


def test_what_organisers_write_is_shown_as_markdown(viewed: Viewed) -> None:
    Board.objects.filter(pk=viewed.board.pk).update(description="# Task\n\n**Rank** [docs](https://example.org)")
    page = browse(None).get(PAGE).text
    assert "<h3>Task</h3>" in page
    assert "<strong>Rank</strong>" in page
    assert '<a href="https://example.org" rel="nofollow noopener noreferrer ugc">docs</a>' in page
    assert faults_of(page) == []


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](https://example.org/pixel.png)",
        '<a href="https://example.org" style="position:fixed">x</a>',
        '[x](https://example.org "onmouseover=alert(1)")',
        "<svg/onload=alert(1)>",
        "`<script>`",
        "&lt;script&gt;",
    ],
)
def test_nothing_written_can_run_or_fetch(text: str) -> None:
    shown = render_markdown(text)
    assert faults_of(shown) == []
    tags = re.findall(r"<(\w+)([^>]*)>", shown)
    assert {tag for tag, _ in tags} <= TAGS
    assert {attributes.strip() for _, attributes in tags} <= {
        "",
        HARMLESS_LINK,
        'rel="nofollow noopener noreferrer ugc"',
    }


def test_the_methods_explain_what_pages_link_to(viewed: Viewed) -> None:
    page = browse(None).get("/methods/").text
    assert faults_of(page) == []
    for anchor in ("verdict", "claims", "fallback", "may-be-best", "intervals", "release"):
        assert f'id="{anchor}"' in page
