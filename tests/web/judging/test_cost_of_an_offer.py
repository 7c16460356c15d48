"""Does an offer cost the same however many pairs there are? It asks the database as often; an answer, too."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from tests.web.cast import Cast
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign

from toprung.data.judgments import Pair
from toprung.web.core.models.boards import Board
from toprung.web.services.judging import showable
from toprung.web.services.judging.showable import ShowablePairs

MOST_OF_OFFER, MOST_OF_ANSWER = 15, 7
"""Queries of the database; a look-up of texts for each pair would be some eighty."""


@pytest.mark.parametrize("n_queries", [20, 200])
def test_an_offer_and_an_answer_ask_the_database_as_often(cast: Cast, n_queries: int) -> None:
    world = make_campaign(cast, n_queries=n_queries, n_golds=12)
    Walker(world.campaign).begin()  # the desk of this process is open
    walker = Walker(world.campaign)
    walker.learn()
    with CaptureQueriesContext(connection) as offer:
        walker.get("ready/")
    assert len(offer) <= MOST_OF_OFFER
    walker.post("ready/")
    task = walker.task()
    with CaptureQueriesContext(connection) as answer:
        walker.send(assignment=task["assignment"], slot=0)
    assert len(answer) <= MOST_OF_ANSWER


def test_pairs_without_texts_are_looked_up_many_at_once(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 400 queries the last ten in the order they are asked may be the only ones with texts."""
    n_with = 10
    none = {f"q{n:04}-{item}": "" for n in range(n_with + 1, 401) for item in range(2)}
    world = make_campaign(cast, n_queries=400, n_items=2, texts=none)
    asked: list[int] = []
    plain = showable.stored.passages

    def count(board: Board, ids: Collection[str]) -> dict[str, str]:
        asked.append(len(ids))
        return plain(board, ids)

    monkeypatch.setattr(showable.stored, "passages", count)
    page = Walker(world.campaign).begin()
    assert "1 of 13" in page.text
    assert sum(asked) == 800 + 6, "each text once, those of three golds too"
    assert len(asked) == 4, "13 pairs, then about four times as many each time"


def test_what_is_expected_is_what_one_by_one_would_say(cast: Cast) -> None:
    make_campaign(cast, n_queries=4, n_items=3, texts={"q0001-1": "", "q0002-0": "One two", "q0002-1": " One  two"})
    pairs = [Pair(f"q000{n}", f"q000{n}-{a}", f"q000{n}-{b}") for n in range(1, 6) for a, b in ((0, 1), (0, 2), (1, 2))]
    told, plain = ShowablePairs(cast.board.pk), ShowablePairs(cast.board.pk)
    told.expect(lambda can_show: [can_show(pair) for pair in pairs])
    with CaptureQueriesContext(connection) as later:
        found = [told.can_show(pair) for pair in pairs]
    assert len(later) == 0
    assert found == [plain.can_show(pair) for pair in pairs]
    missing = [False, True, False], [False, True, True], [True] * 3, [True] * 3, [False] * 3
    assert found == [each for of_query in missing for each in of_query]


def test_more_texts_than_are_remembered_come_to_an_end(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showable, "KNOWN_AT_ONCE", 5)
    make_campaign(cast, n_queries=9)
    told, pairs = ShowablePairs(cast.board.pk), [Pair(f"q000{n}", f"q000{n}-0", f"q000{n}-1") for n in range(1, 10)]
    told.expect(lambda can_show: [can_show(pair) for pair in pairs])
    assert all(map(told.can_show, pairs))


def test_a_text_known_for_long_stays_while_its_pair_is_asked_for(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showable, "KNOWN_AT_ONCE", 2)
    make_campaign(cast, n_queries=1, n_items=3)
    told = ShowablePairs(cast.board.pk)
    assert told.can_show(Pair("q0001", "q0001-0", "q0001-1"))
    assert told.can_show(Pair("q0001", "q0001-0", "q0001-2"))
