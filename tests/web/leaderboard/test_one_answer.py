"""All places of a board say the same of every run and pair (``demo.coherence``), and would be found if they did not.

Boards of random runs on 40 queries, with a copy of a run and one that has its values on other queries, so that means
are equal. What is read is what a person or a program gets, as words or as data; every disagreement is collected.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from random import Random

import pytest
from demo.coherence import find_contradictions
from demo.coherent_pages import find_in_history, find_in_own_runs, find_in_rows
from demo.told import Told
from tests.web.cast import Cast, make_board
from tests.web.leaderboard.test_ranking_by_another_measure import add_run, compute
from tests.web.telling import told_to

from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience
from toprung.web.services.results.compare.store import compute_comparison

RANKS = (1, 2, 3, 5, 0)
CHANCES = ((1, 1, 2, 4, 4), (3, 3, 2, 2, 2), (7, 3, 2, 1, 1), (7, 4, 2, 1, 1), (1, 1, 1, 4, 5))
"""How often each rank is drawn, run by run; R6 is a copy of R3, and R7 has the values of R3 turned round."""


def draw_runs(seed: int) -> list[list[int]]:
    draw = Random(seed)
    runs = [draw.choices(RANKS, weights, k=40) for weights in CHANCES]
    return [*runs, list(runs[2]), runs[2][::-1]]


def make(cast: Cast, measure: str, seed: int, **fields: str) -> Board:
    """Scored by RR, or by nDCG of one relevant document: 1/log2(rank + 1)."""
    rule = "no_harm" if measure.startswith("RR") else "measure"
    board = make_board(f"one-{seed}", cast.organiser, official_measure=measure, rule=rule, **fields)
    of_rank = {1: 1.0, 2: 0.5, 3: 1 / 3, 5: 0.2, 0: 0.0}
    if rule == "measure":
        of_rank = {1: 1.0, 2: 0.6309297535714575, 3: 0.5, 5: 0.38685280723454163, 0: 0.0}
    for ranks in draw_runs(seed):
        add_run(cast, board, ranks, [of_rank[rank] for rank in ranks])
    compute(board)
    for b, a in combinations([each.run_id for each in board.submissions.all()], 2):
        compute_comparison(board.pk, challenger=b, holder=a)
    return board


@pytest.mark.parametrize(("measure", "seed"), [("RR@100", 3), ("RR@100", 8), ("nDCG@10", 5)])
def test_every_place_says_the_same_of_every_run_and_pair(cast: Cast, measure: str, seed: int) -> None:
    make(cast, measure, seed)
    for user in (None, cast.organiser, cast.participant):
        assert list(find_contradictions(told_to(user, f"one-{seed}"))) == []


def test_it_is_so_for_everyone_where_some_runs_are_not_shown(cast: Cast) -> None:
    """What everyone is told is of the runs that are shown, compared among themselves."""
    make(cast, "RR@100", 4, release="ladder:0.05")
    everyone, organiser = (told_to(user, "one-4") for user in (None, cast.organiser))
    assert 2 < len(everyone.runs) < len(organiser.runs) == 7
    assert [*find_contradictions(everyone), *find_contradictions(organiser)] == []


@pytest.mark.parametrize("measure", ["RR@100", "nDCG@10"])
def test_runs_with_equal_means_share_their_place_and_copies_everything(cast: Cast, measure: str) -> None:
    make(cast, measure, 6)
    told = told_to(cast.organiser, "one-6")
    shown, relations = told.runs, told.grid
    of_ranks = ["answered"] if measure == "RR@100" else []  # a graded board has no share answered
    assert len({shown[run]["place"] for run in ("R3", "R6", "R7")}) == 1
    assert len({shown[run]["score"] for run in ("R3", "R6", "R7")}) == 1
    for name in ("rank_low", "rank_high", "top_group", "score_low", "score_high", *of_ranks):
        assert shown["R3"][name] == shown["R6"][name]
    assert [relations["R3", other] for other in ("R1", "R2", "R4", "R5", "R7")] == [
        relations["R6", other] for other in ("R1", "R2", "R4", "R5", "R7")
    ]
    assert relations["R3", "R6"] == relations["R3", "R7"] == 0


def test_what_a_program_is_told_is_held_to_the_page(cast: Cast) -> None:
    make(cast, "RR@100", 3)
    told = told_to(None, "one-3")
    odd = replace(told, ask=lambda path: told.ask(path).replace('"sentence": "', '"sentence": "Surely '))
    assert [each.partition(" has")[0] for each in find_contradictions(odd)] == ["API: the board", "API: the standings"]


def plant_in_rows(board: Board) -> None:
    for row in board.standings.filter(top_group=True):
        row.content["top_group"], row.content["rank_low"] = False, 2
        row.save()


def plant_in_the_sentence(board: Board) -> None:
    told = board.results.get(kind="board", audience=Audience.PUBLIC)
    told.content["top_group"] = told.content["top_group"][:1]
    told.save()


def plant_in_the_holder(board: Board) -> None:
    told = board.results.get(kind="board", audience=Audience.PUBLIC)
    told.content["holder"] = "R1"
    told.save()


def plant_in_pairs(board: Board) -> None:
    for row in board.standings.filter(audience=Audience.PUBLIC):
        row.content["better_than"] = ""
        row.save()


def plant_in_claims(board: Board) -> None:
    board.claims.update(passed=False)


def plant_in_scores(board: Board) -> None:
    board.submissions.filter(run_id="R1").update(shown_score=0.999)


@pytest.mark.parametrize(
    ("plant", "places"),
    [
        (plant_in_rows, ["group", "shade", "stability", "significance", "pairs"]),
        (plant_in_the_sentence, ["group", "shade"]),
        (plant_in_the_holder, ["history"]),
        (plant_in_pairs, ["pairs"]),
        (plant_in_claims, ["history"]),
        (plant_in_scores, ["mail"]),
    ],
)
def test_a_contradiction_is_found(cast: Cast, plant: Callable[[Board], None], places: list[str]) -> None:
    plant(make(cast, "RR@100", 3))
    found = list(find_contradictions(told_to(None, "one-3")))
    for place in places:
        assert any(each.startswith(place) for each in found), (place, found)


ODD_PAGES = (
    ("", '(class="score num"[^>]*>)0', r"\g<1>9", "score of R"),
    ("", "last proved gain", "proved when it came", "status of R"),
    ("", '(class="v">)[−+0-9.]+', r"\g<1>9.000", "difference of R"),
    ("history/", 'class="sentence">', 'class="sentence">Surely ', "history page: found"),
    ("history/", '(<table class="held">.*?<tbody>.*?/runs/)R', r"\g<1>X", "history page: X"),
    ("history/", r"(</svg>\s*)passed", r"\g<1>not passed", "history page: claim"),
    ("history/", "claim passed", "claim not passed", "staircase"),
    ("/me/", '(rank">)[0-9]', r"\g<1>99", "my runs: R"),
    ("/me/", "(?i)may be best,", "stands first,", "my runs: R"),
)
"""What a page could say instead, and what is then found first."""


@pytest.mark.figures
def test_a_page_that_says_something_else_than_the_files_is_found(cast: Cast) -> None:
    make(cast, "nDCG@10", 5)
    told = told_to(cast.participant, "one-5")
    assert [*find_in_rows(told), *find_in_history(told), *find_in_own_runs(told)] == []
    for path, was, said, place in ODD_PAGES:
        odd = replace(told, fetch=cache(partial(fetch_odd, told, path, was, said)))
        found = [*find_in_rows(odd), *find_in_history(odd), *find_in_own_runs(odd)]
        assert found != [], (path, was)
        assert all(each.startswith(place) for each in found), found


def fetch_odd(told: Told, path: str, was: str, said: str, asked: str) -> str:
    """A page, with other words where it is the odd one."""
    text, whole = told.fetch(asked), path if path.startswith("/") else f"/b/{told.slug}/{path}"
    return re.sub(was, said, text, flags=re.DOTALL) if asked == whole else text
