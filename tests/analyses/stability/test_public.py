"""What everyone is told of ranks under the bootstrap on hidden labels: whole steps, which one query does not move."""

from __future__ import annotations

import numpy as np

from toprung.analyses.stability.find import Stability, stability
from toprung.analyses.stability.public import in_public
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.release import read_release
from toprung.data.matrices import ScoreTable

SHOWN = {"a": 0.5, "b": 0.5, "c": 0.2}


def found_of(n_more: int) -> Stability:
    """Of 200 queries ``a`` alone answers 60 and ``b`` alone so many more than 60; ``c`` answers 40 that both do."""
    values = np.zeros((200, 3))
    values[:40] = 1
    values[40:100, 0] = 1
    values[100 : 160 + n_more, 1] = 1
    return stability(
        ScoreTable(query_ids=tuple(map(str, range(200))), runs=("a", "b", "c"), values=values, measure="P@1"),
        trials=10_000,
    )


def test_shares_of_hidden_labels_are_whole_steps_that_one_query_does_not_move() -> None:
    """One query of 120 that differ moves a mean by a tenth of its deviation, and the share by about 3.6 points."""
    one, two = found_of(1), found_of(2)
    hidden = Disclosure(way=read_release("full").on_hidden(200), n_hidden=200, shown_scores=SHOWN)
    (told,), (also_told,) = in_public(one, hidden).boards, in_public(two, hidden).boards
    assert abs(one.boards[0].mass[0, 0] - two.boards[0].mass[0, 0]) > 0.02
    assert told.mass.tolist() == also_told.mass.tolist()
    assert told.mass.tolist() == [[0.55, 0.45, 0.0], [0.45, 0.55, 0.0], [0.0, 0.0, 1.0]]
    assert told.expected_ranks.round(2).tolist() == [1.45, 1.55, 3.0]
    assert told.remarks == ("Of hidden labels shares of trials come in steps of 5%: 0% may be a few of them.",)


def test_shares_of_public_labels_are_told_as_they_are() -> None:
    found = found_of(1)
    (told,) = in_public(found, Disclosure(way=read_release("full"), shown_scores=SHOWN)).boards
    assert told.mass.tolist() == found.boards[0].mass.tolist()
    assert told.remarks == ()
