"""What is there to read of the queries that are shown, and of no others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import toprung as tr
from toprung.analyses.queries.find import queries
from toprung.analyses.queries.texts import MOST_ANSWERS, DocumentText
from toprung.errors import InputError

LABELS = {"q1": {"d1": 1, "d2": 0, "d3": 3, "d4": 2, "d5": 2}, "q2": {"d1": 1}, "q3": {"d9": 1}}
OLD = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"x": 2.0, "y": 1.0}}
NEW = {"q1": {"d3": 1.0}, "q2": {"d1": 2.0, "y": 1.0}, "q3": {"z": 1.0}}
QUESTIONS = {"q1": "what is a frog?", "q2": "who\njumps?"}
DOCS = {"d1": "Frogs jump.", "d3": "A frog is an amphibian.", "x": "=1+1", "z": "<b>bold</b>"}


def found(**options: Any) -> tr.QueryDifferences:
    return queries(LABELS, {"old": OLD, "new": NEW}, "RR@10", queries=QUESTIONS, docs=DOCS, **options)


def test_the_best_labels_come_first_and_the_others_are_counted() -> None:
    texts = {each.query_id: each for each in found().texts}["q1"]
    assert [each.doc_id for each in texts.answers] == ["d3", "d4", "d5"]  # grades 3, 2, 2; d2 is not relevant
    assert (len(texts.answers), texts.n_answers) == (MOST_ANSWERS, 4)
    assert texts.answers[0] == DocumentText(doc_id="d3", grade=3, text="A frog is an amphibian.")


def test_what_each_run_put_first_has_its_label_and_its_text() -> None:
    texts = {each.query_id: each for each in found().texts}
    assert texts["q1"].first_a == DocumentText(doc_id="d2", grade=0, text=None)
    assert texts["q2"].first_a == DocumentText(doc_id="x", grade=None, text="=1+1")
    assert texts["q2"].first_b == DocumentText(doc_id="d1", grade=1, text="Frogs jump.")
    assert texts["q3"].first_a is None
    assert texts["q3"].question is None


def test_a_grade_counts_as_the_measure_counts_it() -> None:
    answer = queries(LABELS, {"old": OLD, "new": NEW}, "RR(rel=2)@10", queries=QUESTIONS)
    first = next(each for each in answer.texts if each.query_id == "q1")
    assert (first.n_answers, [each.doc_id for each in first.answers]) == (3, ["d3", "d4", "d5"])


def test_what_has_no_text_is_counted() -> None:
    assert "No question was found for 1 query." in found().notes
    assert "No text was found for 4 of 8 documents shown." in found().notes  # d2, d4, d5 and d9


def test_only_documents_of_shown_queries_are_read() -> None:
    wanted: list[str] = []

    class Seen(dict[str, str]):
        def __contains__(self, key: object) -> bool:
            wanted.append(str(key))
            return super().__contains__(key)

    queries(LABELS, {"old": OLD, "new": NEW}, "RR@10", docs=Seen(DOCS), top=1)
    assert sorted(wanted) == ["d1", "x"]  # q2 alone: its label, which new puts first, and what old does


def test_tables_clip_and_json_has_the_whole_text() -> None:
    long = "word " * 100
    answer = queries(LABELS, {"old": OLD, "new": NEW}, "RR@10", docs={"d1": long})
    shown = [row[-1] for row in answer.tables[1][1].rows if row[2].startswith("d1")]
    assert set(map(len, shown)) == {120}
    told = json.loads(answer.to_json())["texts"][0]
    assert told["first_b"] == {"doc_id": "d1", "grade": 1, "text": long}


def test_an_evaluation_knows_labels_and_not_what_stood_first() -> None:
    evaluation = tr.evaluate(LABELS, {"old": OLD, "new": NEW}, "RR@10")
    answer = queries(evaluation, docs=DOCS)
    assert answer.texts[0].answers[0].text == "Frogs jump."
    assert "What each run put first is not known here: give labels and runs." in answer.notes


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"queries": {"1": "?"}}, "queries: found no text for any of 3 queries, 'q1' among them; expected texts by"),
        ({"docs": {"1": "."}}, "docs: found no text for any of 8 documents, 'd1' among them"),
    ],
)
def test_texts_of_other_ids_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        queries(LABELS, {"old": OLD, "new": NEW}, "RR@10", **options)
    assert said in str(error.value)


def test_a_matrix_names_no_documents() -> None:
    matrix = tr.evaluate(LABELS, {"old": OLD, "new": NEW}, "RR@10").score_table("RR@10")
    with pytest.raises(InputError, match="Found texts of documents with a matrix; expected labels and runs"):
        queries(matrix, docs=DOCS)
    assert queries(matrix, queries=QUESTIONS).rows[0].question == "who\njumps?"


def test_real_texts_of_real_runs(shared_data: Path) -> None:
    """TREC 2019: the passage that a run has at rank 1 of its file, with its text."""
    folder = shared_data / "text-dl19"
    runs = {name: folder / f"input.ICT-{name}.txt" for name in ("CKNRM_B", "BERT2")}
    answer = queries(
        folder / "qrels.dl19-passage.txt",
        runs,
        "nDCG@10",
        queries=folder / "topics.txt",
        docs=folder / "qrels_text.dl19.gz",
        top=43,
    )
    rows = [line.split() for line in runs["BERT2"].read_text().splitlines()]
    first = {query_id: doc_id for query_id, _, doc_id, rank, *_ in rows if rank == "1"}
    topics = dict(line.split("\t", 1) for line in (folder / "topics.txt").read_text().splitlines())
    assert len(answer.texts) == 43
    for each in answer.texts:
        assert each.question == topics[each.query_id].strip()
        assert each.first_b is not None
        assert each.first_b.doc_id == first[each.query_id]
        assert all(answer.text for answer in each.answers)
