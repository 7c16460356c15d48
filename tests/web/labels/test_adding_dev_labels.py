"""A board that opened without dev labels gets them later: public at once, for dry runs and the page of queries."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import DEV, Cast, even_ranks, run_text
from tests.web.reading import faults_of, text_of
from tests.web.runs import checked, settled

from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.public_columns import PublicColumn
from toprung.web.services.labels.publish import current_version

PAGE, LABELS = "/b/web-docs/organise/labels/publish/", "/b/web-docs/organise/labels/"
WORDS = {"set": "", "changes": "Dev queries of the pilot.", "source": "given"}


@pytest.fixture
def without(cast: Cast) -> Cast:
    cast.board.label_sets.filter(use=LabelUse.DEV).delete()
    return cast


def send(client: Client, queries: list[str], **changed: str) -> HttpResponse:
    text = "".join(f"{query} 0 rel-{query} 1\n" for query in queries)
    return client.post(PAGE, WORDS | changed | {"file": SimpleUploadedFile("dev.txt", text.encode())})


def test_dev_labels_are_added_and_runs_are_read_on_them(client: Client, without: Cast) -> None:
    settled(without, "first", 2)
    client.force_login(without.organiser)
    assert f'{PAGE}?dev"' in client.get(LABELS).content.decode()
    assert "Add dev labels" in text_of(client.get("/b/web-docs/organise/").content.decode())
    form = client.get(f"{PAGE}?dev").content.decode()
    assert '<option value="" selected>None: the first dev labels of this board' in form
    assert faults_of(form) == []
    assert send(client, list(DEV)).headers["Location"] == LABELS
    labels = current_version(without.board, LabelUse.DEV)
    assert (labels.version, labels.is_hidden, labels.n_queries) == (1, False, len(DEV))
    assert "Added labels, " in without.board.audit.latest("number").what
    run_tasks(raise_failures=True)
    assert PublicColumn.objects.get(label_set=labels).n_there == len(DEV)
    assert f"{len(DEV)} queries for dry runs." in text_of(client.get("/b/web-docs/organise/").content.decode())
    assert "?dev" not in client.get(LABELS).content.decode()


def test_a_dry_run_is_then_scored(client: Client, without: Cast) -> None:
    client.force_login(without.organiser)
    send(client, list(DEV))
    client.force_login(without.participant)
    upload = checked(client, without, run_text(even_ranks(2) | dict.fromkeys(DEV, 2)))
    assert "0.500" in text_of(client.get(reverse("upload", args=["web-docs", upload.pk])).content.decode())


def test_what_is_wrong_is_said_and_nothing_is_stored(client: Client, without: Cast) -> None:
    """Of public labels on hidden queries, for one."""
    without.board.label_sets.filter(use=LabelUse.OFFICIAL).update(is_hidden=True)
    client.force_login(without.organiser)
    shared = send(client, ["q01", "q02"])
    assert shared.status_code == 422
    assert "expected none: public labels would tell hidden ones" in text_of(shared.content.decode())
    assert send(client, list(DEV), changes=" ").status_code == 422
    assert not without.board.label_sets.filter(use=LabelUse.DEV).exists()


def test_dev_labels_that_are_there_are_not_added_to(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    assert "the first dev labels" not in client.get(PAGE).content.decode()
    assert send(client, ["n01", "n02"]).status_code == 422
    assert cast.board.label_sets.filter(use=LabelUse.DEV).count() == 1
