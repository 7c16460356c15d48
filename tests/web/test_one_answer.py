"""Sentence, rows, files, API, stability, grid, comparisons and pages of runs: all say the same of every run and pair.

Boards of random runs on 40 queries, with a copy of a run and one that has its values on other queries, so that means
are equal. What is read is what a person or a program gets, as words or as data; every disagreement is collected.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

import pytest
from django.test import Client
from tests.web.cast import Cast, make_board
from tests.web.reading import text_of
from tests.web.test_ranking_by_another_measure import add_run, compute
from tests.web.viewing import browse

from toprung.boards.engine.words import say_top_group
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Scope, User
from toprung.web.core.models.results import Audience
from toprung.web.services.people.tokens import make_token
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


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What one person is told of a board, place by place."""

    browser: Client
    program: Client
    slug: str
    page: str
    file: Mapping[str, Any]
    rows: Mapping[str, Mapping[str, str]]
    """Of the CSV."""

    @classmethod
    def of(cls, user: User | None, slug: str) -> Answers:
        browser = browse(user)
        table = csv.DictReader(io.StringIO(browser.get(f"/b/{slug}/export.csv").text))
        return cls(
            browser=browser,
            program=_program_of(user),
            slug=slug,
            page=browser.get(f"/b/{slug}/").text,
            file=browser.get(f"/b/{slug}/export.json").json(),
            rows={row["run"]: row for row in table if row["score"]},
        )

    def json(self, path: str, **query: str) -> Any:
        return self.browser.get(path, query).json()

    def table(self, kind: str) -> dict[str, dict[str, str]]:
        """The first table of a result, by run."""
        found = self.json(f"/b/{self.slug}/{kind}.json")["tables"][0]
        rows = [dict(zip(found["header"], row, strict=True)) for row in found["rows"]]
        return {row["run"]: row for row in rows}

    def shaded(self) -> list[str]:
        return [run for kinds, run in self._rows_of_page() if "may-be-best" in kinds.split()]

    def badge(self) -> list[str]:
        return [run for kinds, run in self._rows_of_page() if "holder" in kinds.split()]

    def in_order(self) -> list[str]:
        return [run for kinds, run in self._rows_of_page() if "unshown" not in kinds]

    def _rows_of_page(self) -> list[tuple[str, str]]:
        return re.findall(r'<tr role="row"(?: class="([^"]*)")?><td.*?/runs/(\w+)/', self.page)

    def relations(self) -> dict[tuple[str, str], int]:
        """By the pages of comparisons: +1 where the first of the pair is better."""
        found = {}
        for b, a in combinations(sorted(self.rows), 2):
            content = self.json(f"/b/{self.slug}/compare.json", b=b, a=a)
            found[b, a], found[a, b] = content["relation"], -content["relation"]
        return found


def _program_of(user: User | None) -> Client:
    """A program of that person; without an account it needs no token."""
    if user is None:
        return Client()
    _, secret = make_token(user, name="a test", scopes=[Scope.READ, Scope.ORGANISE])
    return Client(headers={"Authorization": f"Bearer {secret}"})


def find_contradictions(told: Answers) -> Iterator[str]:
    yield from _on_the_board(told)
    yield from _in_other_places(told)
    yield from _of_pairs(told)
    yield from _of_claims(told)


def _on_the_board(told: Answers) -> Iterator[str]:
    members = told.file["top_group"]
    sentence = " ".join(say_top_group(members, n_runs=len(told.rows), n_queries=40))
    if told.file["sentence"] != sentence or sentence not in text_of(told.page):
        yield f"sentence: {told.file['sentence']}"
    if told.shaded() != members:
        yield f"shaded: {told.shaded()} for {members}"
    if not told.in_order() == list(told.rows) == [run["run"] for run in told.file["runs"]]:
        yield f"order: {told.in_order()}, {list(told.rows)}"
    scores = [float(row["score"]) for row in told.rows.values()]
    if scores != sorted(scores, reverse=True):
        yield f"not in order of score: {scores}"
    for run, row in told.rows.items():
        if not (run in members) == (row["top_group"] == "True") == (row["rank_low"] == "1"):
            yield f"{run}: {row}"


def _in_other_places(told: Answers) -> Iterator[str]:
    api = f"/api/v1/boards/{told.slug}"
    board, standings = told.program.get(api).json(), told.program.get(f"{api}/standings").json()
    if board["top_group"] != told.file["top_group"] or board["sentence"] != told.file["sentence"]:
        yield f"API: {board['top_group']}"
    of_api = {each["run"]: each for each in standings["items"] if each["score"] is not None}
    stability, grid = told.table("stability"), told.table("significance")
    for run, row in told.rows.items():
        ranks = row["rank_low"] if row["rank_low"] == row["rank_high"] else f"{row['rank_low']}–{row['rank_high']}"
        may_be_best = row["top_group"] == "True"
        same = ("place", "rank_low", "rank_high", "top_group", "status", "proved_since")
        if any(str(of_api[run][name] or "") != (row[name] if row[name] != "False" else "") for name in same):
            yield f"API, {run}: {of_api[run]}"
        if (stability[run]["95% interval"], stability[run]["may be best"] == "yes") != (ranks, may_be_best):
            yield f"stability, {run}: {stability[run]}"
        if stability[run]["place"] != row["place"] or grid[run]["rank"] != ranks:
            yield f"grid, {run}: {grid[run]}"
        said = text_of(told.browser.get(f"/b/{told.slug}/runs/{run}/").text)
        if (f"{run} may be best" in said or f"{run} does best" in said) != may_be_best:
            yield f"page of {run}"


def _of_pairs(told: Answers) -> Iterator[str]:
    """Ranks and grid follow from the comparisons, and none of these from a score alone."""
    relations, grid = told.relations(), told.table("significance")
    for run, row in told.rows.items():
        others = [other for other in told.rows if other != run]
        better = sum(relations[run, other] < 0 for other in others)
        worse = sum(relations[run, other] > 0 for other in others)
        if (int(row["rank_low"]), int(row["rank_high"])) != (1 + better, len(told.rows) - worse):
            yield f"{run}: {better} are better and {worse} worse, but {row['rank_low']} to {row['rank_high']}"
        if (grid[run]["better than"], grid[run]["worse than"]) != (str(worse), str(better)):
            yield f"grid, {run}: {grid[run]}"
        for other in others:
            if relations[run, other] > 0 and float(row["score"]) < float(told.rows[other]["score"]):
                yield f"{run} is better than {other}, with a lower score"
    for (b, a), relation in relations.items():
        words = f"On this board {b} is better than {a}," if relation > 0 else "cannot be told apart,"
        page = text_of(told.browser.get(f"/b/{told.slug}/compare/", {"b": b, "a": a}).text)
        if b < a and relation >= 0 and words not in page:
            yield f"page of {b} and {a}"


def _of_claims(told: Answers) -> Iterator[str]:
    claims = told.json(f"/b/{told.slug}/claims.json")["claims"]
    passed = [each["run"] for each in sorted(claims, key=lambda each: each["number"]) if each["passed"]]
    proved = {run for run, row in told.rows.items() if row["proved_since"]}
    if proved != set(passed):
        yield f"proved: {proved}, passed: {passed}"
    last = passed[-1:]
    if [told.file["holder"]] != (last or [None]) or told.badge() != last:
        yield f"badge: {told.badge()}, {told.file['holder']}, {last}"
    if last and f"{last[0]} was the last to prove an improvement when it came" not in told.file["because"]:
        yield told.file["because"]


@pytest.mark.parametrize(("measure", "seed"), [("RR@100", 3), ("RR@100", 8), ("nDCG@10", 5)])
def test_every_place_says_the_same_of_every_run_and_pair(cast: Cast, measure: str, seed: int) -> None:
    make(cast, measure, seed)
    for user in (None, cast.organiser):
        assert list(find_contradictions(Answers.of(user, f"one-{seed}"))) == []


def test_it_is_so_for_everyone_where_some_runs_are_not_shown(cast: Cast) -> None:
    """What everyone is told is of the runs that are shown, compared among themselves."""
    make(cast, "RR@100", 4, release="ladder:0.05")
    everyone, organiser = (Answers.of(user, "one-4") for user in (None, cast.organiser))
    assert 2 < len(everyone.rows) < len(organiser.rows) == 7
    assert [*find_contradictions(everyone), *find_contradictions(organiser)] == []


@pytest.mark.parametrize("measure", ["RR@100", "nDCG@10"])
def test_runs_with_equal_means_share_their_place_and_copies_everything(cast: Cast, measure: str) -> None:
    make(cast, measure, 6)
    told = Answers.of(cast.organiser, "one-6")
    shown, relations = told.rows, told.relations()
    assert len({shown[run]["place"] for run in ("R3", "R6", "R7")}) == 1
    assert len({shown[run]["score"] for run in ("R3", "R6", "R7")}) == 1
    for name in ("rank_low", "rank_high", "top_group", "score_low", "score_high", "answered"):
        assert shown["R3"][name] == shown["R6"][name]
    assert [relations["R3", other] for other in ("R1", "R2", "R4", "R5", "R7")] == [
        relations["R6", other] for other in ("R1", "R2", "R4", "R5", "R7")
    ]
    assert relations["R3", "R6"] == relations["R3", "R7"] == 0


def test_a_contradiction_would_be_found(cast: Cast) -> None:
    board = make(cast, "RR@100", 3)
    for row in board.standings.filter(top_group=True):
        row.content["top_group"], row.content["rank_low"] = False, 2
        row.save()
    told = board.results.get(kind="board", audience=Audience.PUBLIC)
    asked = Answers.of(None, "one-3")
    told.content["top_group"] = told.content["top_group"][:1]
    told.save()
    found = list(find_contradictions(asked))
    for place in ("shaded", "R", "API", "stability", "grid"):
        assert any(each.startswith(place) for each in found), place
