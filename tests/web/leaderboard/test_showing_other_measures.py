"""Measures and labels beside the official ones: on the page of a run, as columns of the board, and in its files."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from django.db.models import F
from django.test import Client
from scipy.stats import bootstrap
from tests.web.cast import OFFICIAL, Cast, make_labels, run_text
from tests.web.reading import row_of, text_of
from tests.web.runs import accepted, settled

from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.release import read_release
from toprung.data.run_card import RunCard
from toprung.stats.intervals.bootstrap import Effect
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.results.compute import compute_results
from toprung.web.services.results.other_scores import OtherMeasure, show_others
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import submit


@pytest.fixture
def shown(cast: Cast) -> Cast:
    """R1 puts every answer third: P@10 is 1/10, and on seven of the queries, labelled again, RR@100 is 1/3."""
    cast.board.other_measures = ["P@10"]
    cast.board.save()
    make_labels(cast.board, LabelUse.EXTRA, OFFICIAL[:7], is_hidden=False)
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


def test_of_few_hidden_labels_nobody_but_organisers_sees_a_score(client: Client, shown: Cast) -> None:
    """One label of seven would be told by every run, whatever is public of the official labels."""
    shown.board.label_sets.filter(use=LabelUse.EXTRA).update(is_hidden=True)
    Board.objects.filter(pk=shown.board.pk).update(results_due=F("results_due") + 1)
    compute_results(shown.board.pk)
    page = client.get("/b/web-docs/runs/R1/").content.decode()
    assert "P@10" in page
    assert "by the labels “extra”" not in page
    why = "fewer than 50 of them is left out: here P@10 by the labels “extra” and RR@100 by the labels “extra”."
    assert why in text_of(client.get("/b/web-docs/").content.decode())
    assert "extra" not in client.get("/b/web-docs/export.csv").content.decode()
    client.force_login(shown.organiser)
    assert "by the labels “extra”" in client.get("/b/web-docs/runs/R1/").content.decode()
    assert why not in text_of(client.get("/b/web-docs/").content.decode())


@pytest.mark.parametrize(("n_official", "n_extra", "told"), [(0, 0, 0.333), (0, 200, 0.35), (1_000, 60, 0.4)])
def test_of_more_hidden_labels_no_step_is_finer_than_ten_of_their_queries(
    n_official: int, n_extra: int, told: float
) -> None:
    mean = Effect(estimate=1 / 3, low=0.3, high=0.36, confidence=0.95, n=60)
    extra = OtherMeasure(key="rr", measure="RR@100", labels="extra", means={1: mean}, n_hidden=n_extra)
    way = read_release("rounded:3")
    release = Disclosure(way=way.on_hidden(n_official) if n_official else way, n_hidden=n_official)
    (shown,) = show_others([extra], 1, release)
    assert shown["mean"] == pytest.approx(told)


@pytest.fixture
def measured(cast: Cast) -> Cast:
    """R1 has 24 of 40 answers, each first: RR 0.6 and nDCG 0.6. R2 has each second: RR 0.5, nDCG 1/log2(3) = 0.631."""
    Board.objects.filter(pk=cast.board.pk).update(other_measures=["nDCG@10", "P@10"])
    cast.board.refresh_from_db()
    for name, ranks in (("first-or-never", [1] * 24 + [0] * 16), ("always-second", [2] * 40)):
        upload = accepted(cast, run_text(dict(zip(OFFICIAL, ranks, strict=True)), name=name))
        score_submission(submit(upload, RunCard(name=name), by=cast.participant).pk)
        settle_board(cast.board.pk)
    compute_results(cast.board.pk)
    return cast


def test_they_are_columns_with_their_intervals_and_orders_of_page_and_files(client: Client, measured: Cast) -> None:
    """An interval of equal values is a point, its ends rounded outwards; of 24 ones among 40 it is as SciPy has it."""
    asked = "?cols=rank,score,ndcg-10&sort=-ndcg-10"
    page = client.get(f"/b/web-docs/{asked}").content.decode()
    assert re.findall(r'<tr role="row" id="(\w+)"', page) == ["R2", "R1"]
    assert re.findall(r'<tr role="row" id="(\w+)"', client.get("/b/web-docs/").content.decode()) == ["R1", "R2"]
    assert "Sorted by nDCG@10; shaded: may be best by RR@100." in text_of(page)
    assert "P@10" not in page.partition("<tbody")[2]

    second, first = csv.DictReader(io.StringIO(client.get(f"/b/web-docs/export.csv{asked}").content.decode()))
    figures = ["nDCG@10", "nDCG@10 low", "nDCG@10 high"]
    assert [(second["run"], *(second[name] for name in figures))] == [("R2", "0.631", "0.63", "0.631")]
    drawn = bootstrap(([1.0] * 24 + [0.0] * 16,), np.mean, rng=0).confidence_interval
    found = [float(first[name]) for name in figures]
    assert found == pytest.approx([0.6, drawn.low, drawn.high], abs=0.03)
    for row in (second, first):
        score, low, high = (float(row[name]) for name in figures)
        assert f"{score:.3f} {low:.3f}–{high:.3f}" in row_of(page, row["run"])

    runs = json.loads(client.get(f"/b/web-docs/export.json{asked}").content)["runs"]
    assert [(run["run"], *(run[name] for name in figures)) for run in runs] == [
        ("R2", 0.631, 0.63, 0.631),
        ("R1", *found),
    ]
    latex = client.get(f"/b/web-docs/export.tex{asked}").content.decode()
    rows = re.findall(r"& (\S+) & Kestrel Lab & .* & (\S+) \\\\", latex)
    assert rows == [("always-second", "0.631"), ("first-or-never", "0.600")]


def test_the_other_way_round_the_least_comes_first(client: Client, measured: Cast) -> None:
    page = client.get("/b/web-docs/?sort=ndcg-10").content.decode()
    assert re.findall(r'<tr role="row" id="(\w+)"', page) == ["R1", "R2"]
    assert "Sorted by nDCG@10, the other way round;" in text_of(page)
