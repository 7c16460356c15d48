"""Measures and labels beside the official ones stand on the page of a run, rounded as the board releases scores."""

from __future__ import annotations

import pytest
from django.test import Client
from tests.web.cast import OFFICIAL, Cast, make_labels
from tests.web.runs import settled

from toprung.web.core.models.labels import LabelUse
from toprung.web.services.results.compute import compute_results


@pytest.fixture
def shown(cast: Cast) -> Cast:
    """R1 puts every answer third: P@10 is 1/10, and on seven of the queries, labelled again, RR@100 is 1/3."""
    cast.board.other_measures = ["P@10"]
    cast.board.save()
    make_labels(cast.board, LabelUse.EXTRA, OFFICIAL[:7])
    settled(cast, "third", 3)
    compute_results(cast.board.pk)
    return cast


def test_they_stand_on_the_page_of_the_run(client: Client, shown: Cast) -> None:
    page = client.get("/b/web-docs/runs/R1/").content.decode()
    assert "P@10" in page
    assert "0.100" in page
    assert "by the labels “extra”" in page


def test_everyone_sees_them_rounded_and_organisers_in_full(shown: Cast) -> None:
    means = {
        who: {(each["measure"], each["labels"]): each["mean"] for each in standing.content["others"]}
        for who in ("public", "organisers")
        for standing in shown.board.standings.filter(audience=who)
    }
    assert means["public"]["RR@100", "extra"] == 0.333
    assert means["organisers"]["RR@100", "extra"] == pytest.approx(1 / 3)


def test_private_labels_are_never_among_them(shown: Cast) -> None:
    for standing in shown.board.standings.all():
        assert {each["labels"] for each in standing.content["others"]} == {"", "extra"}
