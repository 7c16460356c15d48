"""Pages over versions of the labels: what was published and what it changes, as of which, and a run under each."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django_ox.testing import run_tasks
from tests.web.cast import OFFICIAL, Cast
from tests.web.reading import folded
from tests.web.runs import settled

from toprung.web.core.models.labels import LabelSet, LabelSource, LabelUse
from toprung.web.core.models.runs import Submission
from toprung.web.services.results.compute import compute_results

RANKED_FIRST = 10
"""Queries whose new answer is the document that both runs rank first."""


def new_labels() -> bytes:
    """Of the first ten queries another document is the answer: what both runs have at rank 1."""
    changed = set(OFFICIAL[:RANKED_FIRST])
    answers = {query: f"other-{query}-1" if query in changed else f"rel-{query}" for query in OFFICIAL}
    return "".join(f"{query} 0 {answer} 1\n" for query, answer in answers.items()).encode()


def publish(client: Client, cast: Cast, content: bytes, **fields: str) -> int:
    client.force_login(cast.organiser)
    current = LabelSet.objects.get(board=cast.board, use=LabelUse.OFFICIAL, is_current=True)
    form = {"set": current.pk, "changes": "Ten answers were *wrong*.", "source": LabelSource.PREFERENCE, **fields}
    file = SimpleUploadedFile("qrels.txt", content)
    return client.post("/b/web-docs/organise/labels/publish/", form | {"file": file}).status_code


def page(client: Client, address: str) -> str:
    client.logout()
    response = client.get(f"/b/web-docs/{address}")
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def two(cast: Cast) -> list[Submission]:
    """R1 has every answer at rank 3; R2, of another team, at rank 2: it takes the rung."""
    first = settled(cast, "halcyon", 3)
    second = settled(cast, "petrel", 2, team=cast.other_team, user=cast.stranger)
    compute_results(cast.board.pk)
    return [first, second]


@pytest.fixture
def versions(client: Client, cast: Cast, two: list[Submission]) -> None:
    assert publish(client, cast, new_labels()) == 302
    run_tasks(raise_failures=True)
    client.logout()


def test_the_board_says_what_would_stand_and_keeps_its_holder(client: Client, cast: Cast, versions: None) -> None:
    """Both find the ten new answers at rank 1: R1 (10 + 30/3)/40 = 0.5, R2 (10 + 30/2)/40 = 0.625."""
    board = page(client, "")
    assert "labels v2" in board
    assert "petrel would be the holder, as it is" in board  # by its name, though it is stored as R2
    assert {"0.500", "0.625"} <= set(re.findall(r"0\.\d{3}", board))


def test_the_page_of_labels_tells_what_changed(client: Client, cast: Cast, versions: None) -> None:
    labels = page(client, "labels/")
    assert "petrel would be the holder, as it is" in labels
    assert "Ten answers were <em>wrong</em>." in labels
    assert "preference judgments" in labels
    assert "10 queries with other answers than before" in labels
    assert "about 10 queries" not in labels, "the labels are public"
    rows = re.findall(r'<td class="num">([01]\.\d+)</td><td class="num strong">(0\.\d+)</td>', folded(labels))
    # R2 and R1, then the ranking that was perfect under v1: 30 of 40 answers are still right.
    assert rows == [("0.500", "0.625"), ("0.333", "0.500"), ("1.000", "0.750")]


@pytest.mark.figures
def test_its_chart_has_names_and_each_mark_leads_to_its_run(client: Client, cast: Cast, versions: None) -> None:
    labels = page(client, "labels/")
    for run, name in (("R1", "halcyon"), ("R2", "petrel")):
        link = f'<a href="/b/web-docs/runs/{run}/" data-row="run-{run}" aria-label="{name}, '
        assert labels.count(link) == 2, "wide, and drawn for a phone"
        assert f'id="run-{run}"' in labels
    assert not re.search(r"<text[^>]*>R\d", labels)


@pytest.mark.figures
def test_its_chart_is_taken_along_with_names(client: Client, cast: Cast, versions: None) -> None:
    assert 'href="/b/web-docs/labels/label-sets.png"' in page(client, "labels/")
    assert ">petrel<" in client.get("/b/web-docs/labels/label-sets.svg").content.decode()
    assert client.get("/b/web-docs/labels/label-sets.pdf").content.startswith(b"%PDF-")
    assert client.get("/b/web-docs/labels/label-sets.svg?labels=1").status_code == 404


def test_organisers_see_exact_counts(client: Client, cast: Cast, versions: None) -> None:
    client.force_login(cast.organiser)
    labels = client.get("/b/web-docs/labels/").content.decode()
    assert "10 labels added, 10 labels taken away and 10 queries with other answers than before" in labels


def test_what_was_shown_before_stays_as_it_was(client: Client, cast: Cast, versions: None) -> None:
    earlier = page(client, "?labels=1")
    assert "As of labels v1" in earlier
    assert {"0.333", "0.500"} <= set(re.findall(r"0\.\d{3}", earlier))
    assert "0.625" not in earlier
    assert 'href="/b/web-docs/history/?labels=1"' in earlier
    assert client.get("/b/web-docs/?labels=3").status_code == 404
    assert "As of labels v1" in page(client, "history/?labels=1")


@pytest.mark.figures
def test_a_run_shows_its_scores_under_each_version(client: Client, cast: Cast, versions: None) -> None:
    run = page(client, "runs/R1/")
    said = "RR@100 under each version of the labels: petrel v1 0.500, v2 0.625 and halcyon v1 0.333, v2 0.500."
    assert run.count(said) == 2  # wide, and drawn for a phone
    assert run.count('<a href="/b/web-docs/?labels=1" data-row="labels-1" aria-label="halcyon, labels v1, ') == 2
    assert 'id="labels-1"' in run
    top = page(client, "runs/R2/")
    assert "RR@100 under each version of the labels: petrel v1 0.500, v2 0.625." in top


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF-")])
def test_the_scores_of_a_run_are_taken_along_as_a_picture(
    client: Client, cast: Cast, versions: None, ending: str, begins: bytes
) -> None:
    assert f'href="/b/web-docs/runs/R1/versions.{ending}"' in page(client, "runs/R1/")
    assert client.get(f"/b/web-docs/runs/R1/versions.{ending}").content.startswith(begins)
    assert client.get("/b/web-docs/runs/R9/versions.svg").status_code == 404


def test_before_a_second_version_nothing_speaks_of_versions(client: Client, cast: Cast, two: list[Submission]) -> None:
    assert "Score under each label version" not in page(client, "runs/R1/")
    assert 'href="/b/web-docs/labels/"' not in page(client, "")
    assert "They are the first of this board." in page(client, "labels/")


def test_organisers_follow_a_version_and_may_give_it_up(client: Client, cast: Cast, two: list[Submission]) -> None:
    assert publish(client, cast, new_labels()) == 302
    labels = client.get("/b/web-docs/organise/labels/").content.decode()
    assert "0 of 2 runs are scored on it" in labels
    assert "labels v1" in page(client, "")
    client.force_login(cast.organiser)
    prepared = LabelSet.objects.get(board=cast.board, version=2)
    assert client.post(f"/b/web-docs/organise/labels/{prepared.pk}/give-up/").status_code == 302
    run_tasks(raise_failures=True)
    assert "given up" in client.get("/b/web-docs/organise/labels/").content.decode()
    cast.board.refresh_from_db()
    assert cast.board.shown_version == 1


@pytest.mark.parametrize(
    ("content", "fields", "says"),
    [
        (b"q01 0 d1 x\n", {}, "qrels.txt, line 1"),
        (b"", {}, "Found an empty file"),
        (b"d01 0 d1 1\nd02 0 d1 1\n", {}, "public labels would tell hidden ones"),
        (new_labels(), {"changes": ""}, "Found nothing; expected some text."),
        (new_labels(), {"source": "guess"}, "expected another choice"),
        (new_labels(), {"set": "99999"}, "expected another choice"),
        ("".join(f"{q} 0 rel-{q} 1\n" for q in OFFICIAL).encode(), {}, "found the same labels"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(
    client: Client, cast: Cast, content: bytes, fields: dict[str, str], says: str
) -> None:
    client.force_login(cast.organiser)
    LabelSet.objects.filter(use=LabelUse.OFFICIAL).update(is_hidden=True)
    current = LabelSet.objects.get(board=cast.board, use=LabelUse.OFFICIAL)
    form = {"set": current.pk, "changes": "New.", "source": "given", **fields}
    response = client.post(
        "/b/web-docs/organise/labels/publish/", form | {"file": SimpleUploadedFile("qrels.txt", content)}
    )
    assert response.status_code == 422
    assert says in response.content.decode()
    assert LabelSet.objects.filter(board=cast.board, use=LabelUse.OFFICIAL).count() == 1
