"""How much of a score's interval is doubt about labels: of each run, on its page, on the board and by the API.

Run R1 has the label second on all 40 queries and other-q01-1 first. If the label of q01 is that one with 25%, R1 has ½
with 75% and 1 with 25% there: a variance of ¾ × ¼ × ¼, and 1.96 × √(3/64) / 40 of the mean.
"""

from __future__ import annotations

import csv
import io
import math

import pytest
from django.db.models import F
from django.test import Client
from tests.web.cast import Cast
from tests.web.runs import settled

from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import LabelOrigin
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.services.results.compute import compute_results

CHANCES = {"q01": {"rel-q01": 75, "other-q01-1": 25}, "q02": {"rel-q02": 100}, "q03": {"rel-q03": 50, "copy-q03": 50}}
MOVED = 1.96 * math.sqrt(3 / 64) / 40
PAGE, API = "/b/web-docs/runs/R1/", "/api/v1/boards/web-docs"
FILE = "/b/web-docs/export.csv"


@pytest.fixture
def doubtful(cast: Cast) -> LabelSet:
    """Labels that votes made: of q02 all are sure, and the two of q03 have one text."""
    labels = cast.board.label_sets.get(use=LabelUse.OFFICIAL)
    doubt = {"chances": CHANCES, "same_text": {"q03": {"copy-q03": "rel-q03"}}}
    sureness = {"n_judged": 3, "n_decided": 2, "mean": 0.95, "expected_wrong": 0.1, "n_votes": 9, "n_people": 3}
    LabelOrigin.objects.create(label_set=labels, manifest={}, sureness=sureness | {"at_least": 0.9}, doubt=doubt)
    settled(cast, "first", 2)
    compute_again(cast)
    return labels


def compute_again(cast: Cast) -> None:
    Board.objects.filter(pk=cast.board.pk).update(results_due=F("results_due") + 1)
    compute_results(cast.board.pk)


@pytest.mark.django_db
def test_doubt_about_labels_is_part_of_the_interval_of_a_score(cast: Cast, doubtful: LabelSet) -> None:
    (standing,) = Client().get(f"{API}/standings").json()["items"]
    assert standing["label_doubt"] == pytest.approx(MOVED)
    assert Client().get(f"{API}/runs/R1").json()["label_doubt"] == pytest.approx(MOVED)
    (row,) = csv.DictReader(io.StringIO(Client().get(FILE).text))
    assert float(row["label_doubt"]) == pytest.approx(MOVED, abs=1e-6)
    assert "Doubt about labels alone moves its RR@100 by ±0.0106 (95%), of an interval of ±" in Client().get(PAGE).text
    versions = Client().get("/b/web-docs/labels/").text
    assert "The labels of 1 of 40 queries are in doubt: that moves scores by ±0.0106, of intervals of ±" in versions
    assert "About 0.1 of the new ones are expected to be wrong." in versions
    (version, *_) = [each for each in Client().get(f"{API}/labels").json()["items"] if each["use"] == "official"]
    assert version["sureness"].startswith("9 votes of 3 people decided 2 of 3 judged queries")


@pytest.mark.django_db
def test_of_hidden_labels_doubt_is_for_organisers(cast: Cast, doubtful: LabelSet) -> None:
    LabelSet.objects.filter(pk=doubtful.pk).update(is_hidden=True)
    compute_again(cast)
    organiser = Client()
    organiser.force_login(cast.organiser)
    assert "±0.0106" in organiser.get(PAGE).text
    assert "Doubt about labels" not in Client().get(PAGE).text
    assert "are in doubt" not in Client().get("/b/web-docs/labels/").text
    assert "label_doubt" in organiser.get(FILE).text
    assert "label_doubt" not in Client().get(FILE).text
    assert [each["label_doubt"] for each in Client().get(f"{API}/standings").json()["items"]] == [None]
