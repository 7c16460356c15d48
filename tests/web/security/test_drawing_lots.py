"""Every run draws a lot under the default of hidden labels: the same for the same file, foreseen by nobody."""

from __future__ import annotations

import numpy as np
import pytest
from django.test import override_settings
from tests.web.cast import Cast
from tests.web.runs import settled

from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission, Upload
from toprung.web.services.claims import releasing
from toprung.web.services.claims.releasing import draw_lot
from toprung.web.services.claims.settle import settle_board


def of_file(digest: str, slug: str = "web-docs") -> float:
    return draw_lot(Board(slug=slug), Submission(upload=Upload(digest=digest)))


def test_the_same_file_draws_the_same_and_another_file_board_or_server_another() -> None:
    assert of_file("sha256:1") == of_file("sha256:1")
    assert len({of_file("sha256:1"), of_file("sha256:2"), of_file("sha256:1", slug="other")}) == 3
    drawn = of_file("sha256:1")
    with override_settings(SECRET_KEY="another secret of another server, as long as it has to be"):
        assert of_file("sha256:1") != drawn


def test_lots_are_of_the_standard_normal_law() -> None:
    drawn = np.array([of_file(f"sha256:{each}") for each in range(2_000)])
    assert abs(drawn.mean()) < 0.07
    assert drawn.std() == pytest.approx(1, abs=0.05)
    assert np.mean(np.abs(drawn) < 1) == pytest.approx(0.683, abs=0.035)


def test_what_was_shown_is_a_rung_whatever_it_would_draw_now(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on another server, whose secret is another. The step on 400 queries is 0.081 for RR."""
    Board.objects.filter(pk=cast.board.pk).update(release="board-ladder:auto", quota=20)
    cast.board.label_sets.filter(use="official").update(is_hidden=True, n_queries=400)
    monkeypatch.setattr(releasing, "draw_lot", lambda *_: 0.0)
    first, second = settled(cast, "first", 4), settled(cast, "second", 2)
    assert (first.shown_score, second.shown_score) == (0.25, 0.5)
    monkeypatch.setattr(releasing, "draw_lot", lambda *_: -40.0)
    assert settled(cast, "third", 1).shown_score is None
    monkeypatch.setattr(releasing, "draw_lot", lambda *_: 0.0)
    assert settled(cast, "fourth", 2, team=cast.other_team, user=cast.stranger).shown_score is None, "0.5 is the best"
    assert settle_board(cast.board.pk) == 0
