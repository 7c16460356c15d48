"""Of fewer than fifty hidden queries a score would have fewer than five steps: none is shown, and the page says why."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from tests.web.cast import OFFICIAL, Cast
from tests.web.runs import settled
from tests.web.viewing import browse

from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission
from toprung.web.services.results.compute import compute_results

pytestmark = pytest.mark.django_db
WHY = "Nothing is shown of any run: a score on so few hidden queries would have fewer than five steps."


def score_two(cast: Cast, n_queries: int) -> list[Submission]:
    """Runs at ranks 4 and 1, on official labels that are hidden and said to be of so many queries."""
    LabelSet.objects.filter(board=cast.board, use="official").update(is_hidden=True, n_queries=n_queries)
    runs = [settled(cast, "first", 4, team=cast.other_team, user=cast.stranger), settled(cast, "second", 1)]
    compute_results(cast.board.pk)
    return runs


def shown_scores() -> list[str]:
    rows = csv.DictReader(io.StringIO(Client().get("/b/web-docs/export.csv").text))
    return [row["score"] for row in rows if row.get("score")]


def test_no_score_is_shown_and_the_rules_say_why(cast: Cast) -> None:
    runs = score_two(cast, len(OFFICIAL))
    assert len(OFFICIAL) < 50
    assert [run.shown_score for run in runs] == [None, None]
    assert [run.score for run in runs] == [0.25, 1.0], "organisers see them"
    assert shown_scores() == []
    assert WHY in " ".join(browse(cast.participant).get("/b/web-docs/about/").text.split())


def test_of_fifty_they_are_shown(cast: Cast) -> None:
    score_two(cast, 50)
    assert sorted(shown_scores()) == ["0.2", "1.0"], "in steps of 0.2"
