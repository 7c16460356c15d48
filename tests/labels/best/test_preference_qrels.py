"""What are the labels now, and where did they come from?"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.labels.builders import votes

from toprung.data.formats.qrels_files import read_qrels
from toprung.data.judgments import Judgments
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.labels.best.preference_qrels import (
    QrelsManifest,
    manifest_path,
    to_preference_qrels,
    write_preference_qrels,
)
from toprung.labels.best.tournament import BestAnswers
from toprung.labels.pools.pool import Pool

RESULTS = {
    "q2": BestAnswers(query_id="q2", best=("d1", "d2", "d3")),
    "q1": BestAnswers(query_id="q1", best=("d9",), is_incomplete=True),
    "q0": BestAnswers(query_id="q0", best=()),
}
PARENT = Qrels.from_dict({"q1": {"d0": 1}})
JUDGMENTS = votes("q a b left")
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def test_every_best_answer_is_a_label_of_grade_one() -> None:
    made = to_preference_qrels(RESULTS, parent=None, judgments=JUDGMENTS, policy="majority")
    assert made.qrels.to_dict() == {"q1": {"d9": 1}, "q2": {"d1": 1, "d2": 1, "d3": 1}}


def test_the_manifest_says_where_the_labels_came_from() -> None:
    made = to_preference_qrels(RESULTS, parent=PARENT, judgments=JUDGMENTS, policy="majority", created=NOON)
    manifest = made.manifest
    assert manifest.digest == made.qrels.digest
    assert manifest.parent == PARENT.digest
    assert manifest.judgments_digest == JUDGMENTS.digest
    assert (manifest.policy, manifest.created) == ("majority", "2026-01-02T12:00:00+00:00")
    assert (manifest.n_queries, manifest.n_labels, manifest.n_undecided) == (2, 4, 1)
    assert manifest.incomplete == ("q1",)
    assert QrelsManifest.from_record(json.loads(json.dumps(manifest.to_record()))) == manifest


def test_an_item_with_the_text_of_a_best_answer_is_a_label_too() -> None:
    pools = [Pool(query_id="q1", items=("d8", "d9"), same_text={"d7": "d9", "d6": "d8"})]
    made = to_preference_qrels(RESULTS, parent=None, judgments=JUDGMENTS, policy="majority", pools=pools)
    assert made.qrels.to_dict()["q1"] == {"d9": 1, "d7": 1}


def test_no_decided_query_is_no_version() -> None:
    with pytest.raises(InputError, match="Found no decided query among 1; expected at least one"):
        to_preference_qrels({"q0": RESULTS["q0"]}, parent=None, judgments=Judgments.of([]), policy="majority")


def test_labels_and_manifest_are_written_side_by_side(tmp_path: Path) -> None:
    made = to_preference_qrels(RESULTS, parent=PARENT, judgments=JUDGMENTS, policy="majority")
    path = tmp_path / "new.qrels"
    write_preference_qrels(made, path)
    assert path.read_text() == "q1 0 d9 1\nq2 0 d1 1\nq2 0 d2 1\nq2 0 d3 1\n"
    assert read_qrels(path).digest == made.manifest.digest
    assert json.loads(manifest_path(path).read_text()) == made.manifest.to_record()
    assert manifest_path(path).name == "new.qrels.manifest.json"


@pytest.mark.parametrize("record", [{}, {"incomplete": []}, {"incomplete": 3}])
def test_a_broken_manifest_is_refused(record: dict[str, object]) -> None:
    with pytest.raises(InputError, match="expected the manifest of a label version"):
        QrelsManifest.from_record(record)
